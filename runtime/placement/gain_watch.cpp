#include "runtime/placement/gain_watch.h"

#include <cmath>

#include "runtime/placement/daemon.h"

namespace lbhm::placement {

double error_of(const FastShare& before, const FastShare& now) {
  if (!(before.all > 0) || !(now.all > 0)) return 0;
  const double pooled = (before.fast + now.fast) / (before.all + now.all);
  return std::sqrt(pooled * (1 - pooled) * (1 / before.all + 1 / now.all));
}

double rise(const FastShare& before, const FastShare& now) {
  const double error = error_of(before, now);
  return error > 0 ? (now.value() - before.value()) / error : 0;
}

void GainWatch::begin() { *this = {}; }

GainWatch::Verdict GainWatch::judge(std::span<const AccessSample> samples, std::uint64_t fast_pages) {
  if (!moves_) {
    first_.add(samples);
    before_ = first_;
    return Verdict::go_on;
  }
  if (recent_.all >= 2 * least_samples) recent_.halve();
  recent_.add(samples);
  now_.add(samples);
  if (first_.all >= least_samples && recent_.all >= least_samples && rise(first_, recent_) < fallen)
    return Verdict::undo;
  if (came_ < fast_pages || now_.all < many_samples) return Verdict::go_on;
  const bool known = before_.all >= many_samples;
  const bool stays = known && now_.value() + 2 * error_of(before_, now_) - before_.value() < worth;
  before_ = now_;
  now_ = {};
  came_ = 0;
  return stays ? Verdict::stop : Verdict::go_on;
}

void GainWatch::moving(const MigrationPlan& plan, Bytes page) {
  moves_ = moves_ || !plan.moves.empty();
  for (const PageMove& move : plan.moves) {
    const bool up = move.to == TierId(0);
    for (std::uint64_t at = 0; at < move.bytes.value; at += page.value) {
      const auto [known, fresh] = brought_.emplace(move.address + at, up);
      if (!fresh && known->second != up) brought_.erase(known);  // back where it was
      came_ += up ? 1 : 0;
    }
  }
}

MigrationPlan GainWatch::undone(Bytes page, TierId slow) const {
  MigrationPlan plan;
  for (const bool came : {true, false}) {
    for (const auto& [address, up] : brought_) {
      if (up == came) add_move(plan, address, page, came ? slow : TierId(0));
    }
  }
  return plan;
}

}  // namespace lbhm::placement
