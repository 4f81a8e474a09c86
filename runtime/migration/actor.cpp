#include "runtime/migration/actor.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/base/guarded.h"

namespace lbhm {

MoveReport Actor::carry_out_now(const MigrationPlan& plan, std::vector<EvictionCandidate> candidates,
                                const MigrationPlan& background, bool replacing) {
  MigrationPlan later;
  MigrationOptions options{.tiers = first_touch_, .asked = asked_ ? &asked_ : nullptr};
  if (most_time_) options.most_time = *most_time_;
  MoveReport moves = carry_out(machine_, plan, candidates, options, &later);
  waited_for_.fetch_add(moves.moved.value, std::memory_order_relaxed);
  // What the plan could not do in time comes before what never was urgent.
  const bool cut = !later.moves.empty();
  std::ranges::copy(background.moves, std::back_inserter(later.moves));
  if (cut)
    mover_.replace(std::move(later), std::move(candidates));
  else if (replacing)
    mover_.replace(std::move(later));
  return moves;
}

MoveReport Actor::carry_out_at_interval(const MigrationPlan& plan) {
  MoveReport report = carry_out(machine_, plan, {}, {.asked = asked_ ? &asked_ : nullptr});
  at_intervals_.fetch_add(report.moved.value, std::memory_order_relaxed);
  return report;
}

void Actor::set_preferred_tier(const MigrationPlan& plan) {
  for (const PageMove& move : plan.moves) set_preferred_tier(move.address, move.bytes, move.to);
}

void Actor::set_preferred_tier(std::uintptr_t address, Bytes bytes, TierId first) {
  std::vector<TierId> order{first};
  std::ranges::copy_if(first_touch_, std::back_inserter(order), [&](TierId tier) { return tier != first; });
  if (Status status = machine_.prefer(address, bytes, order); !status.ok()) say(status.message());
}

}  // namespace lbhm
