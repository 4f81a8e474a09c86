// The tiers that `lbhm machine measure` found (lbhm.host/1, docs/machine-files.md).
#pragma once

#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm::host {

struct MeasuredTier {
  std::string name;
  std::vector<int> nodes;               ///< memory nodes of Linux
  Nanoseconds latency{};                ///< 0: it could not be measured
  BytesPerNanosecond read_bandwidth{};  ///< of all its nodes together
  BytesPerNanosecond write_bandwidth{};
};

/// The fastest first. Errors: not_found, malformed (with file and key).
Result<std::vector<MeasuredTier>> read_measured_tiers(const std::string& file);

/// Their nodes, as LBHM_TIERS names them: "0,1/2".
std::string as_setting(const std::vector<MeasuredTier>& tiers);

}  // namespace lbhm::host
