#include "runtime/machine/ledger_turn.h"

namespace lbhm::host {

void LedgerTurn::bury() {
  const auto now = std::chrono::steady_clock::now();
  if (!state_.shared() || now - state_.buried < std::chrono::milliseconds(100)) return;
  state_.buried = now;
  state_.table.bury_the_dead(state_.own);
  if (!file_.write(state_.table)) alone();
}

void LedgerTurn::put(const LedgerWords& bytes) {
  state_.own.bytes = bytes;
  state_.table.record[state_.place] = state_.own;
  if (state_.shared() && !file_.write(state_.table, state_.place)) alone();
}

void LedgerTurn::leave() {
  state_.table.record[state_.place] = {};
  if (state_.shared()) (void)file_.write(state_.table, state_.place);
}

std::chrono::milliseconds LedgerTurn::patience() const {
  return std::chrono::milliseconds(std::chrono::steady_clock::now() < state_.impatient_until ? 0 : 100);
}

bool LedgerTurn::look() {
  const LedgerFile::State got = file_.open(state_.file, patience());
  // No descriptor was left: for a member that may change, to a new one it is said.
  if (got == LedgerFile::State::busy && (state_.has_place() || file_.why().empty())) return missed();
  if (got != LedgerFile::State::held || !file_.read(state_.table)) return alone();
  if (!state_.entered()) return enter();
  state_.table.record[state_.place] = state_.own;  // whatever somebody has written there
  return true;
}

bool LedgerTurn::missed() {
  ++state_.misses;
  state_.impatient_until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  return false;
}

bool LedgerTurn::alone() {
  state_.go_on_alone(file_.why());
  return true;
}

/// The first time, or again where somebody has truncated or removed the file.
bool LedgerTurn::enter() {
  if (state_.has_place())
    state_.remark = state_.file + " was truncated or removed by somebody: what processes have was entered again";
  state_.table.bury_the_dead(state_.own);
  state_.place = state_.table.enter(state_.own).value_or(LedgerState::nowhere);
  if (!state_.has_place()) return false;
  return file_.write(state_.table) || alone();
}

}  // namespace lbhm::host
