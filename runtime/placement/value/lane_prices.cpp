#include "runtime/placement/value/lane_prices.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace lbhm::placement {
namespace {

double lanes_of(std::span<const AccessSample> samples) {
  std::set<LaneId> lanes;
  for (const AccessSample& sample : samples) lanes.insert(sample.lane);
  return static_cast<double>(lanes.size());
}

}  // namespace

void LanePrices::look(const std::optional<RunningTeam>& team, std::span<const AccessSample> samples, Nanoseconds now,
                      Nanoseconds shortest) {
  elapsed_ = now - looked_;
  const std::optional<RunningTeam> before = std::exchange(team_, team);
  const std::size_t lanes = team ? team->lanes.size() : 0;
  waited_.assign(lanes, Nanoseconds());
  for (std::size_t lane = 0; before && lane < std::min(lanes, before->lanes.size()); ++lane)
    waited_[lane] = std::clamp(team->lanes[lane].waited - before->lanes[lane].waited, Nanoseconds(0), elapsed_);
  idle_.resize(std::max(lanes, idle_.size()));
  for (std::size_t lane = 0; lane < lanes; ++lane) idle_[lane] += waited_[lane];
  looked_ = now;
  if (before.has_value() != team.has_value() || (team && team->round != before->round)) {
    if (before) end_round(before->region, shortest);
    begin_ = now;
    idle_.clear();
  }
  working_ = team ? 0 : lanes_of(samples);
  for (std::size_t lane = 0; lane < lanes; ++lane) working_ += waited_[lane] < elapsed_ ? weight(lane) : 0;
}

void LanePrices::end_round(std::uint32_t number, Nanoseconds shortest) {
  const Nanoseconds time = looked_ - begin_;
  if (!(time > shortest)) return;
  round_time_ += (time - round_time_) / std::min(1 / part, ++rounds_);
  Region& region = regions_[number];
  region.weight.resize(idle_.size(), 1);
  const auto n = static_cast<double>(idle_.size());
  if (n < 2 || std::ranges::max(idle_).value == 0) return;
  const double rate = std::sqrt(8 * std::log(n) / ++region.rounds), other = 1 / (1 + region.rounds);
  for (std::size_t lane = 0; lane < idle_.size(); ++lane)
    region.weight[lane] *= std::exp(-rate * std::min(1.0, idle_[lane] / time));
  const double mean = std::accumulate(region.weight.begin(), region.weight.end(), 0.0) / n;
  for (double& weight : region.weight) weight = weight / mean * (1 - other) + other;
}

std::map<LaneId, double> LanePrices::waiting(Nanoseconds horizon) const {
  std::map<LaneId, double> left;
  const Nanoseconds taken = looked_ - begin_, rest = taken < round_time_ ? round_time_ - taken : taken;
  for (std::uint32_t lane = 0; lane < waited_.size(); ++lane)
    if (team_->lanes[lane].waits) left[LaneId(lane)] = std::max(0.0, 1 - rest / horizon);
  if (left.size() == waited_.size()) left.clear();  // they wait for nobody
  return left;
}

/// Of equal lanes 1.
double LanePrices::weight(std::size_t lane) const {
  if (!team_) return 1;
  const auto region = regions_.find(team_->region);
  return region != regions_.end() && lane < region->second.weight.size() ? region->second.weight[lane] : 1;
}

double LanePrices::price(LaneId lane) const {
  const double own = weight(lane.value);
  return own / std::max(working_, own);
}

}  // namespace lbhm::placement
