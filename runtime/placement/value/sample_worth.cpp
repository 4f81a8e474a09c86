#include "runtime/placement/value/sample_worth.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lbhm::placement {

void SampleWorth::begin(const Topology& machine, Nanoseconds interval, std::optional<double> busy) {
  tiers_ = machine.tiers;
  loads_.resize(tiers_.size(), 1);
  line_ = static_cast<double>(machine.line.value), block_ = slow().granularity / machine.line;
  prefetched_ = Nanoseconds(exposed_cycles / machine.cycles_per_nanosecond);
  const Nanoseconds asked = std::exchange(asked_, Nanoseconds(0)), before = std::exchange(interval_, interval);
  use_ += (std::clamp(busy.value_or(before.value > 0 ? asked / before : 0), 0.0, 1.0) - use_) / intervals;
}

void SampleWorth::follow(std::span<const PageValues::Extent> extents) {
  for (auto& [number, lane] : lanes_) {
    if (lane.walks.size() <= extents.size()) continue;
    std::erase_if(lane.walks, [&](const auto& walk) {
      return !std::ranges::binary_search(extents, walk.first, {}, &PageValues::Extent::address);
    });
  }
}

/// How much of a block an access uses: how far it is from the lane's one before in the object, for each access of the
/// lane in between. A stream takes a line, strides and random accesses a block.
double SampleWorth::lines_of(const AccessSample& sample, double accesses, std::uintptr_t object, Lane& lane) const {
  const double count = lane.count += accesses;
  Walk& walk = lane.walks[object];
  if (walk.count > 0) {
    const double far = std::abs(static_cast<double>(static_cast<std::intptr_t>(sample.address - walk.at)));
    walk.lines += std::clamp(far / line_ / (count - walk.count), 1.0, block_), walk.weight += 1;
    walk.lines *= 1 - 1 / mean_of, walk.weight *= 1 - 1 / mean_of;
  }
  walk.at = sample.address, walk.count = count;
  return walk.weight > 0 ? walk.lines / walk.weight : block_;
}

/// Without the queue, which is worth what others gain when a line leaves it. Accesses wait side by side: of the time of
/// a lane each has a part as its latency is. A page is worth what it would be in slow memory, wherever it is.
double SampleWorth::wait_saved(const AccessSample& sample, const Lane& lane) {
  const Nanoseconds fastest = tiers_.front().latency_random, slowest = slow().latency_random;
  const std::size_t tier = std::min<std::size_t>(sample.tier.value, tiers_.size() - 1);
  const Nanoseconds idle = tiers_[tier].latency_random;
  const bool known = fastest.value > 0 && slowest.value > 0 && idle.value > 0;
  if (sample.latency < prefetched_ || !known) return 0;
  double& load = loads_[tier];
  if (sample.latency >= idle) load += (sample.latency / idle - load) / (mean_of * mean_of);
  const Nanoseconds slow_wait = sample.latency / load * (slowest / idle);
  return std::min(1.0, lane.time / lane.latency) * slow_wait.value * (1 - 1 / (slowest / fastest));
}

double SampleWorth::of(const AccessSample& sample, double accesses, std::uintptr_t object, double price) {
  if (!(accesses > 0)) return 0;
  Lane& lane = lanes_[sample.lane];
  const double gap = (sample.time - lane.before).value / accesses;
  lane.before = sample.time;
  lane.time += sample.weight * std::min(gap, std::max(sample.latency.value, slow().latency_random.value));
  lane.latency += sample.write ? 0 : sample.weight * sample.latency.value;
  lane.time *= 1 - 1 / mean_of, lane.latency *= 1 - 1 / mean_of;
  // Stores, and loads that a prefetcher is ahead of, wait for bandwidth alone; a store's line is read and written.
  const double service = line_ / slow().read_bandwidth.value - line_ / tiers_.front().read_bandwidth.value;
  const double lines = lines_of(sample, accesses, object, lane) * (sample.write ? 2 : 1);
  if (sample.tier.value + 1 == tiers_.size())
    asked_ += Nanoseconds(accesses * lines * line_ / slow().read_bandwidth.value);
  const double wait = sample.write ? 0 : wait_saved(sample, lane);
  return accesses * (use_ * use_ * service * lines + price * wait);
}

}  // namespace lbhm::placement
