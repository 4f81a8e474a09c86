#include "runtime/placement/gains/gain_watch.h"

#include <algorithm>
#include <utility>

#include "runtime/placement/daemons/daemon.h"

namespace lbhm::placement {

bool GainWatch::stops(Ends ends) const {
  if (ends == Ends::not_shown_worth) return gain() - 2 * error() < shown_worth * all_;
  return gain() + 2 * error() < worth * all_;
}

GainWatch::Verdict GainWatch::judge(std::span<const AccessSample> samples, std::uint64_t fast_pages, Bytes page,
                                    Ends ends) {
  if (moved_.empty()) return Verdict::go_on;
  for (const AccessSample& sample : samples) {
    const auto found = moved_.find(sample.address / page.value * page.value);
    if (found != moved_.end()) (found->second.came ? gained_ : lost_) += 1;
    all_ += 1;
  }
  if (gain() < -harm * error() && gain() < -much * all_) return Verdict::undo;
  if (came_ >= fast_pages && (all_ >= remembered || ends == Ends::not_shown_worth)) {
    if (stops(ends)) return Verdict::stop;
    came_ = 0;
  }
  if (all_ >= 2 * remembered) gained_ /= 2, lost_ /= 2, all_ /= 2;
  return Verdict::go_on;
}

void GainWatch::start(std::vector<std::uintptr_t> fast) {
  *this = {};
  started_ = true;
  at_start_ = std::move(fast);
  std::ranges::sort(at_start_);
}

void GainWatch::moving(const MigrationPlan& plan, Bytes page) {
  for (const PageMove& move : plan.moves) {
    const bool up = move.to == TierId(0);
    for (std::uint64_t at = 0; at < move.bytes.value; at += page.value) {
      const std::uintptr_t address = move.address + at;
      const bool was_fast = std::ranges::binary_search(at_start_, address);
      if (was_fast == up)
        moved_.erase(address);  // back where it was
      else
        moved_[address] = {up, ++moves_};
      came_ += up ? 1 : 0;
    }
  }
}

void GainWatch::forget(std::uintptr_t address, Bytes bytes) {
  const std::uintptr_t end = address + bytes.value;
  moved_.erase(moved_.lower_bound(address), moved_.lower_bound(end));
  at_start_.erase(std::ranges::lower_bound(at_start_, address), std::ranges::lower_bound(at_start_, end));
}

MigrationPlan GainWatch::undone(Bytes page, TierId slow) const {
  std::vector<std::pair<std::uint64_t, std::uintptr_t>> came, left;
  for (const auto& [address, moved] : moved_) (moved.came ? came : left).emplace_back(moved.number, address);
  std::ranges::sort(came);
  std::ranges::sort(left);
  MigrationPlan plan;
  for (const auto& [number, address] : came) add_move(plan, address, page, slow);
  for (const auto& [number, address] : left) add_move(plan, address, page, TierId(0));
  return plan;
}

}  // namespace lbhm::placement
