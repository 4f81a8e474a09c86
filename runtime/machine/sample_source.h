// The samples of the machine contract (machine.h).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// What one sample is of.
enum class SampleOf : std::uint8_t {
  misses,  ///< an access to main memory
  pages,   ///< the first access to a page, or the first one since somebody looked
};

/// Where access samples come from.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  /// One sample stands for this many accesses.
  virtual AccessCount period() const = 0;
  virtual SampleOf of() const { return SampleOf::misses; }
  /// Moves all samples since the last call to the end of `out`, in the order of (lane, time).
  /// Called while no lane runs; threads that are none run on. Returns how many samples were lost.
  virtual std::uint64_t drain(std::vector<AccessSample>& out) = 0;
  /// One access in `period` is sampled from now on; 0: none, which costs nothing. Called at the same times.
  virtual void set_period(AccessCount /*period*/) {}
};

}  // namespace lbhm
