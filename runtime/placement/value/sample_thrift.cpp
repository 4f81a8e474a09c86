#include "runtime/placement/value/sample_thrift.h"

#include <algorithm>
#include <cmath>

namespace lbhm::placement {

/// Who took no sample in a while did not rest, so rates are of long times.
std::optional<AccessCount> SampleThrift::next_period(std::span<const AccessSample> samples, AccessCount period,
                                                     Nanoseconds elapsed, Nanoseconds turn, std::uint64_t pages) {
  if (!(period.value > 0)) return std::nullopt;
  if (!(own_period_ > 0)) own_period_ = period.value;
  std::map<LaneId, double> accesses;
  for (const AccessSample& sample : samples) accesses[sample.lane] += period.value;
  for (const auto& [lane, count] : accesses) rates_.try_emplace(lane, 0);
  double busiest = 0;
  for (auto& [lane, rate] : rates_) {
    const auto found = accesses.find(lane);
    const double fresh = (found == accesses.end() ? 0 : found->second) / elapsed.value;
    rate += (fresh - rate) * std::min(1.0, elapsed / (turn * turns));
    busiest = std::max(busiest, rate);
  }
  taken_ += static_cast<double>(samples.size());
  const double most = taken_ > a_page * static_cast<double>(pages) ? share : first_share;
  const AccessCount next(std::max(own_period_, std::ceil(busiest * sample_cost.value / most)));
  if (next > change * period || period > change * next) return next;
  return std::nullopt;
}

}  // namespace lbhm::placement
