// Keeps what hint faults cost within bounds: how many more pages may be armed now.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lbhm::sampling {

/// What a hint fault of an isolated page takes, arming included: docs/sampling.md, measured by bench/run sampling.
inline constexpr double nanoseconds_per_hint_fault = 12000;
/// Hint faults may cost this share of the time of all processors. An assumption: without them the policies that ask for
/// hint faults cannot work, so it is more than what sampling may cost.
inline constexpr double most_faulting = 0.05;

/// A bucket that fills at a rate and holds what comes within one second.
class FaultBudget {
 public:
  /// `most_per_second`: of all threads, above 0.
  FaultBudget(double most_per_second, std::uint64_t now_ns) : rate_(most_per_second), level_(rate_), at_(now_ns) {}

  /// Faults since the last call are paid; pages that are armed may still fault, so they are reserved. `price`: what one
  /// costs, where 1 is what the rate was meant for.
  std::size_t grant(std::uint64_t now_ns, std::uint64_t faults_since, std::size_t armed, double price = 1) {
    const double seconds = static_cast<double>(now_ns - at_) * 1e-9;
    at_ = now_ns;
    level_ = std::min(level_ + seconds * rate_, rate_) - price * static_cast<double>(faults_since);
    return static_cast<std::size_t>(std::max(std::floor(level_ / price) - static_cast<double>(armed), 0.0));
  }

 private:
  double rate_;
  double level_;
  std::uint64_t at_;
};

}  // namespace lbhm::sampling
