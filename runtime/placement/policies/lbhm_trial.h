// What lbhm moves without a plan is on trial: what did harm is undone, and what brought nothing is over for a while.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/placement/daemons/memtis_daemon.h"
#include "runtime/placement/gains/gain_watch.h"
#include "runtime/placement/placement.h"

namespace lbhm::policies {

class LbhmTrial {
 public:
  /// `judged`: else everything may go on (setting without).
  explicit LbhmTrial(bool judged) : judged_(judged) {}

  /// Nothing moves at this wake-up, as what moved before brought nothing.
  bool rests() const { return rest_ > 0; }
  /// At every wake-up without a plan, with its samples: whether more may move. Carries out what is undone. `plans`: the
  /// program has phases, whose plans would end the trial; else moves have to show what they bring.
  bool goes_on(PolicyContext& context, std::span<const AccessSample> samples, bool plans) {
    if (rest_ > 0) {
      --rest_;
      return false;
    }
    const Topology& machine = context.machine().topology();
    const std::uint64_t capacity = machine.tiers[0].capacity.value / machine.page.value;
    const Ends ends = plans ? Ends::shown_worthless : Ends::not_shown_worth;
    const Verdict verdict = judged_ ? gain_.judge(samples, capacity, machine.page, ends) : Verdict::go_on;
    if (verdict == Verdict::go_on) return true;
    const TierId slowest(static_cast<std::uint8_t>(machine.tiers.size() - 1));
    if (verdict == Verdict::undo) context.migrate(gain_.undone(machine.page, slowest));
    gain_.end();
    rest_ = longest_rest_ = std::min(2 * longest_rest_, most_rest);
    return false;
  }
  /// A plan moves pages, or other objects are used from here on.
  void end() { gain_.end(); }
  /// Pages move; so far these are in fast memory.
  void moving(const MigrationPlan& plan, const placement::PageBins& fast, Bytes page) {
    if (plan.moves.empty()) return;  // nothing moved yet: first touch still fills fast memory
    if (!gain_.started()) gain_.start(fast.addresses());
    gain_.moving(plan, page);
  }
  /// A new object is there: its pages are others than before.
  void forget(std::uintptr_t address, Bytes bytes) { gain_.forget(address, bytes); }
  const placement::GainWatch& gain() const { return gain_; }

 private:
  using Verdict = placement::GainWatch::Verdict;
  using Ends = placement::GainWatch::Ends;
  /// Nothing moves for two wake-ups, then four, and so on: programs go on to something else, but one that does not is
  /// left alone.
  static constexpr std::uint32_t most_rest = 1024;

  bool judged_;
  placement::GainWatch gain_;
  std::uint32_t rest_ = 0, longest_rest_ = 1;  ///< wake-ups
};

}  // namespace lbhm::policies
