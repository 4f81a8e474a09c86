// Door of model/learned: the learned f of Eq. 2, and what it may look at.
// Source: Xie, Liu, Li, Li: Merchandiser, PPoPP '23 ("the paper"), section 5.1.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"
#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// The eight workload characteristics of section 5.1 from raw events. NaN where an event is missing or a
/// denominator is zero.
TaskEvents task_events(const EventCounts& raw);

/// An event by the name of its PAPI preset, "PAPI_L2_LDM" for example; nothing if the name stands for no event that
/// EventCounts has, or the machine could not count it.
std::optional<double> papi_event(const EventCounts& raw, std::string_view name);

/// What a task, and all tasks together, asked of memory in the base instance. NaN: not known.
struct Traffic {
  /// Of slow memory's read bandwidth: line * accesses / (bandwidth * time).
  double all_use = std::numeric_limits<double>::quiet_NaN();  ///< by all tasks together, in the longest task's time
  double own_use = std::numeric_limits<double>::quiet_NaN();  ///< by the task, in its own time
  double rate = std::numeric_limits<double>::quiet_NaN();     ///< accesses of the task, 1/ns, in its own time
  double lanes = std::numeric_limits<double>::quiet_NaN();    ///< tasks that did something
};

CorrelationFeatures correlation_features(const EventCounts& raw, const Traffic& traffic, const HomogeneousTimes& times);

/// A model file (schema lbhm.model/2 or /1, `lbhm train`). Larger ones are refused.
inline constexpr Bytes largest_model = MiB(64);

struct TrainedModel {
  std::string machine;              ///< that it was trained on
  std::string machine_fingerprint;  ///< the same, its numbers: Topology::fingerprint
  /// Its name is the machine's and a fingerprint of the file: "optane/1a2b3c4d5e6f7081". A feature that is NaN counts
  /// as missing. Equal to the bit to XGBoost's own predictions.
  std::unique_ptr<const Correlation> f;
};

/// `content`: of a model file. Errors: malformed, with a sentence that does not name the file: no or other JSON,
/// unknown features, trees that are none, more than this LB-HM takes.
Result<TrainedModel> parse_model(std::string_view content);

}  // namespace lbhm
