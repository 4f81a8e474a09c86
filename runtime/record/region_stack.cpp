#include "runtime/record/region_stack.h"

#include "lbhm/code_regions.h"

namespace lbhm {

RegionTotals& RegionStack::totals(const Open& open) {
  std::vector<RegionTotals>& lane = totals_[open.lane];
  if (lane.size() < open.place.slot) lane.resize(open.place.slot);
  return lane[open.place.slot - 1];
}

void RegionStack::begin(Machine& machine, const LaneState* lane, const RegionPlace& place) {
  if (place.kind == LBHM_REGION_PARALLEL)
    drop_below(place.frame + 1);
  else
    unwound({.slot = 0, .kind = 0, .frame = place.frame});
  Open open{.place = place, .lane = lane ? lane->lane.value : 0, .begin = {}, .nested = {}};
  {
    const std::lock_guard lock(mutex_);
    RegionTotals& known = totals(open);
    open.measured = known.executions < most_measured_;
    ++known.executions;
  }
  if (open.measured) open.begin = read_lane(machine, lane);
  open_.push_back(std::move(open));
}

void RegionStack::end(Machine& machine, const LaneState* lane, const RegionPlace& place) {
  drop_below(place.frame);
  // A loop of the same frame may be open inside of its body: a longjmp led out of the loop.
  while (!open_.empty() && open_.back().place.frame == place.frame && open_.back().place.slot != place.slot) {
    if (open_.back().place.kind == LBHM_REGION_PARALLEL) return;  // its begin was not seen
    abandon();
  }
  if (!open_.empty() && open_.back().place.frame == place.frame) close(machine, lane);
}

void RegionStack::unwound(const RegionPlace& place) {
  drop_below(place.frame);
  while (!open_.empty() && open_.back().place.frame == place.frame) {
    const RegionPlace& top = open_.back().place;
    if (top.kind == LBHM_REGION_PARALLEL || top.slot == place.slot) return;
    abandon();
  }
}

void RegionStack::drop_below(std::uintptr_t frame) {
  while (!open_.empty() && open_.back().place.frame < frame) abandon();
}

void RegionStack::abandon() {
  {
    const std::lock_guard lock(mutex_);
    ++totals(open_.back()).abandoned;
  }
  open_.pop_back();
  if (!open_.empty()) open_.back().nested_measured = false;
}

void RegionStack::close(Machine& machine, const LaneState* lane) {
  const Open open = std::move(open_.back());
  open_.pop_back();
  Open* outer = open_.empty() ? nullptr : &open_.back();
  if (!open.measured) {
    if (outer) {
      outer->nested_measured = false;
      outer->beyond_limit = true;
    }
    return;
  }
  const Reading execution = difference(read_lane(machine, lane), open.begin);
  if (outer) outer->nested += execution;
  const std::lock_guard lock(mutex_);
  RegionTotals& known = totals(open);
  known.add(execution);
  if (open.nested_measured) known.add_self(execution, open.nested);
  if (open.beyond_limit) ++known.beyond_limit;
}

void RegionStack::add_to(TotalsByLane& sums) {
  const std::lock_guard lock(mutex_);
  for (const auto& [lane, totals] : totals_) {
    std::vector<RegionTotals>& sum = sums[lane];
    if (sum.size() < totals.size()) sum.resize(totals.size());
    for (std::size_t slot = 0; slot < totals.size(); ++slot) sum[slot] += totals[slot];
  }
}

}  // namespace lbhm
