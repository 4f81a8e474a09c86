// One look of a process at the ledger's table.
#pragma once

#include <chrono>

#include "runtime/machine/ledger_file.h"
#include "runtime/machine/ledger_state.h"
#include "runtime/machine/memory_calls.h"

namespace lbhm::host {

/// Under LedgerState::lock: nobody else looks at the same time, and our record is in the table. Who has waited for it
/// in vain does not wait again for a while. Where the file is unfit, LedgerState goes on alone.
class LedgerTurn {
 public:
  explicit LedgerTurn(LedgerState& state) : state_(state), has_it_(!state.shared() || look()) {}
  explicit operator bool() const { return has_it_; }

  /// Frees what dead processes had. Looks at every process, so not often.
  void bury();
  /// The others are told these amounts from now on.
  void put(const LedgerWords& bytes);
  /// Our record is nobody's from now on.
  void leave();

 private:
  std::chrono::milliseconds patience() const;
  bool look();  ///< false: not this time
  bool missed();
  bool alone();
  bool enter();

  const KeepErrno keep_;
  LedgerState& state_;
  LedgerFile file_;  ///< not opened: the table is our own
  const bool has_it_;
};

}  // namespace lbhm::host
