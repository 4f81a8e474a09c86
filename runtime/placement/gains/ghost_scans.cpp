#include "runtime/placement/gains/ghost_scans.h"

namespace lbhm::placement {

void GhostScans::end_turn() {
  if (waited_ == 0) return;
  waited_ = turn_ = 0;
  share_ = {};
  start_anew();
}

void GhostScans::look(PolicyContext& context, AccessedWatch& watch) {
  if (waited_ < patience || rest_ > 0) return;
  if (scans_.scan(context, watch)) scans_.exchange(context.machine());
}

void GhostScans::wake_up(std::span<const AccessSample> samples, Bytes page) {
  ++waited_;
  share_.fade(forgotten);
  share_.add(samples);
  if (lead()) return go_on();
  if (rest_ > 0) {
    --rest_;
    return;
  }
  if (!convinced(samples, page)) return;
  turn_ = next_turn_;
  next_turn_ *= 2;
  trial_ = proved_ ? 0 : trial;
  without_ = share_.value();
}

void GhostScans::go_on() {
  --turn_;
  const bool trial_ends = trial_ == 1;
  if (trial_ > 0) --trial_;
  if (trial_ends) {
    proved_ = share_.value() >= without_;
    if (!proved_) give_up();
  }
  if (turn_ == 0) start_anew();
}

void GhostScans::give_up() {
  turn_ = 0;
  next_turn_ = first_turn;
  rest_ = next_rest_;
  next_rest_ *= 2;
}

bool GhostScans::convinced(std::span<const AccessSample> samples, Bytes page) {
  for_ *= 1 - forgotten, against_ *= 1 - forgotten, all_ *= 1 - forgotten;
  for (const AccessSample& sample : samples) {
    const TierId on_paper = scans_.tier_of(sample.address / page.value * page.value);
    if (on_paper == no_tier) continue;
    const bool ghost = on_paper == TierId(0), truth = sample.tier == TierId(0);
    all_ += 1;
    for_ += ghost && !truth ? 1 : 0;
    against_ += truth && !ghost ? 1 : 0;
  }
  const double differ = for_ + against_;
  return all_ >= least_samples && differ >= least_different * all_ && for_ >= against_;
}

/// From the pages as they are: those of the scans that led.
void GhostScans::start_anew() {
  scans_ = OptimizerScans(pace_, OptimizerScans::Moves::on_paper);
  for_ = against_ = all_ = 0;
}

}  // namespace lbhm::placement
