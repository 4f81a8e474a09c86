// Which correlation function predictions are made with.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/learned/learned.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// A trained model for this machine. Errors, sentences without the file's name: not_found, malformed; invalid_argument
/// if it was trained on a machine with another name or other numbers.
Result<TrainedModel> read_model(const std::string& path, const Topology& machine);

/// Not thread-safe. Every program that loads us has one, and few predict: nothing is read before a model is needed.
class ModelChoice {
 public:
  /// The first call decides. `setting`: that of the setting model; "" and "analytic" are the analytic f, "shipped" is
  /// the model of the machine in `shipped`, a folder, or the analytic f if none is there for a machine with these
  /// numbers. A model that cannot be used is refused with one line on the standard error; the analytic f takes its
  /// place.
  const Correlation& choose(const std::string& setting, const std::string& shipped, const Topology& machine);

  /// Of what was chosen; analytic as long as nothing was.
  std::string_view name() const { return current().name(); }
  /// One sentence if a model was refused, else empty.
  const std::string& refusal() const { return refusal_; }

 private:
  const Correlation& current() const { return trained_ ? *trained_ : analytic_correlation(); }

  bool chosen_ = false;
  std::unique_ptr<const Correlation> trained_;
  std::string refusal_;
};

}  // namespace lbhm
