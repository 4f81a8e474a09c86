#include "runtime/placement/value/lane_prices.h"

#include <algorithm>
#include <cmath>

namespace lbhm::placement {

namespace {

/// Of a lane's usual gap between samples: a longer one is no gap, but a wait. Assumption.
constexpr double late = 2;

}  // namespace

void LanePrices::see(const AccessSample& sample) {
  Lane& lane = lanes_[sample.lane];
  if (lane.seen.value >= 0) {
    const double gap = (sample.time - lane.seen).value, usual = lane.gap.value;
    if (usual == 0 || gap < late * usual) lane.gap = Nanoseconds(usual == 0 ? gap : usual + (gap - usual) * part);
  }
  lane.seen = sample.time;
}

bool LanePrices::barrier_opened() const {
  unsigned waited = 0, work = 0;
  for (const auto& [number, lane] : lanes_) waited += lane.waits, work += lane.waits && lane.seen > looked_;
  return waited >= 2 && 2 * work > waited;
}

void LanePrices::look(std::span<const AccessSample> samples, const std::optional<RunningRegion>& running,
                      bool phase_began, Nanoseconds now, Nanoseconds elapsed, Nanoseconds shortest) {
  if (looked_.value == 0) looked_ = begin_ = now - elapsed;
  for (const AccessSample& sample : samples) see(sample);
  if (running != round_ || phase_began || barrier_opened()) {
    if (round_) end_round(round_->number, shortest);
    round_ = running, begin_ = looked_;
    for (auto& [number, lane] : lanes_) lane.idle = 0, lane.waits = lane.worked = false;
  }
  working_ = 0;
  for (auto& [number, lane] : lanes_) {
    const bool works = lane.seen > looked_;
    lane.worked = lane.worked || works;
    if (works || lane.seen + lane.gap * late >= now - elapsed) working_ += weight(number);
    if (!round_ || !lane.worked) continue;
    const double since = (now - lane.seen).value - late * lane.gap.value;
    lane.idle += std::clamp(since, 0.0, elapsed.value);
    lane.waits = since > elapsed.value;
  }
  looked_ = now;
  for (const auto& [number, lane] : lanes_) {
    const double own = weight(number);
    prices_[number] = own / std::max(working_, own);
  }
}

/// Lanes of the region that did nothing waited for all of it.
void LanePrices::end_round(std::uint32_t region_number, Nanoseconds shortest) {
  const Nanoseconds time = looked_ - begin_;
  if (!(time > shortest)) return;
  round_time_ += (time - round_time_) / std::min(1 / part, ++rounds_);
  Region& region = regions_[region_number];
  double most = 0, sum = 0;
  for (const auto& [number, lane] : lanes_) {
    if (lane.worked) region.weight.try_emplace(number, region.weight.empty() ? 1 : mean_weight(region));
    most = std::max(most, lane.idle);
  }
  const auto n = static_cast<double>(region.weight.size());
  if (n < 2 || !(most > 0)) return;
  const double rate = std::sqrt(8 * std::log(n) / ++region.rounds), other = 1 / (1 + region.rounds);
  for (auto& [number, weight] : region.weight) {
    const Lane& lane = lanes_[number];
    weight *= std::exp(-rate * (lane.worked ? std::min(1.0, lane.idle / time.value) : 1));
    sum += weight;
  }
  for (auto& [number, weight] : region.weight) weight = weight / sum * (1 - other) + other / n;
}

std::map<LaneId, double> LanePrices::waiting(Nanoseconds horizon) const {
  std::map<LaneId, double> left;
  if (!round_) return left;
  const Nanoseconds taken = looked_ - begin_, rest = taken < round_time_ ? round_time_ - taken : taken;
  bool any_works = false;
  for (const auto& [number, lane] : lanes_) {
    if (lane.waits && lane.gap.value > 0) left[number] = std::max(0.0, 1 - rest / horizon);
    any_works = any_works || (lane.worked && !lane.waits);
  }
  if (!any_works) left.clear();  // they wait for something else
  return left;
}

/// What a lane begins with that is new in its region.
double LanePrices::mean_weight(const Region& region) {
  double sum = 0;
  for (const auto& [number, weight] : region.weight) sum += weight;
  return sum / static_cast<double>(region.weight.size());
}

/// Of equal lanes 1.
double LanePrices::weight(LaneId lane) const {
  if (!round_) return 1;
  const auto region = regions_.find(round_->number);
  if (region == regions_.end()) return 1;
  const auto found = region->second.weight.find(lane);
  return found != region->second.weight.end() ? found->second / mean_weight(region->second) : 1;
}

double LanePrices::price(LaneId lane) const { return prices_.at(lane); }

}  // namespace lbhm::placement
