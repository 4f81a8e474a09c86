#include "runtime/host/ledger.h"

#include <algorithm>
#include <utility>

#include "runtime/host/ledger_file.h"

namespace lbhm::host {

std::unique_ptr<Ledger> Ledger::open(const std::string& folder, const std::string& name, std::string& why) {
  auto state = std::make_unique<LedgerState>();
  if (name.empty()) {
    state->go_on_alone("");
    return std::unique_ptr<Ledger>(new Ledger(std::move(state)));
  }
  const std::string file = state->file = folder + "/" + name;
  if (const LedgerTurn first(*state); !first) {
    state->given_none = true;
    why = state->misses > 0 ? file + " is locked by another process: this one is given no fast memory; run it again"
                            : file + " has no place for one more process (" + std::to_string(LedgerTable::records) +
                                  " are in it): this one is given no fast memory; run fewer at one time";
  }
  if (!state->remark.empty()) why = std::exchange(state->remark, "");
  return std::unique_ptr<Ledger>(new Ledger(std::move(state)));
}

Ledger::Ledger(std::unique_ptr<LedgerState> state) : state_(std::move(state)) {}

Ledger::~Ledger() {
  if (!state_->usable() || !state_->shared()) return;
  if (LedgerTurn turn(*state_); turn) turn.leave();
}

Bytes Ledger::take(TierId tier, Bytes wanted, Bytes capacity) {
  if (!state_->usable() || tier.value >= most_tiers) return Bytes(0);
  LedgerState& state = *state_;
  const std::lock_guard guard(state.lock);
  const std::size_t i = tier.value;
  state.limited[i] = true;
  state.on_top[i] = on_top_of(capacity);
  std::uint64_t spare = state.spare(i);
  if (spare < wanted.value) {
    LedgerTurn turn(state);
    if (!turn) return Bytes(0);
    const std::uint64_t missing = wanted.value - spare;
    const auto left = [&] { return capacity.value - std::min(state.table.sum(i), capacity.value); };
    if (left() < missing) turn.bury();  // somebody who has died may be in the way
    LedgerWords told = state.own.bytes;
    const std::uint64_t more = std::min(missing > ~state.on_top[i] ? missing : missing + state.on_top[i], left());
    told[i] += more;
    spare += more;
    turn.put(told);
  }
  const Bytes granted(std::min(wanted.value, spare));
  state.used[i] += granted.value;
  return granted;
}

void Ledger::settle(const Amounts& own) {
  if (!state_->usable()) return;
  const std::lock_guard guard(state_->lock);
  std::ranges::transform(own, state_->used.begin(), &Bytes::value);
  const LedgerWords told = state_->told();
  if (told == state_->own.bytes) return;
  if (LedgerTurn turn(*state_); turn) turn.put(told);
}

Bytes Ledger::taken(TierId tier) {
  if (!state_->usable() || tier.value >= most_tiers) return Bytes(0);
  const std::lock_guard guard(state_->lock);
  const LedgerTurn turn(*state_);
  return turn ? Bytes(state_->table.sum(tier.value) - state_->spare(tier.value)) : Bytes(0);
}

std::uint64_t Ledger::misses() const { return state_->misses; }

std::string Ledger::remark() const {
  if (!state_->usable()) return "";
  const std::lock_guard guard(state_->lock);
  return state_->remark;
}

}  // namespace lbhm::host
