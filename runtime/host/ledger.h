// Who has how much of each tier: the processes of one user on one computer share what may be used.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "runtime/base/units.h"

namespace lbhm::host {

/// A table in a file with a lock that dead processes do not keep; what they had is free again. Calls may come from any
/// thread; none blocks longer than 0.1 s, nor all together longer than a tenth of the time: where the lock is not to be
/// had they do nothing. Nothing throws. A child of a fork is given nothing: it has copies of its parent's pages, and
/// its parent's record is not its own. Whatever somebody else does to the file, the process goes on: what it has it
/// knows itself, and enters it again; where the file is a table no longer it counts on its own from then on.
class Ledger {
 public:
  static constexpr std::size_t most_tiers = 8;
  using Amounts = std::array<Bytes, most_tiers>;

  /// `name`: of a file in /dev/shm (`folder`), one for all processes that share; "": this process has a ledger of its
  /// own. If the file cannot be used, `why` says so, and the ledger is this process's own, too. Where the file has no
  /// place for one more process, or its lock cannot be had, `why` says so, and the process is given nothing.
  static std::unique_ptr<Ledger> open(const std::string& folder, const std::string& name, std::string& why);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// Takes up to `wanted` of the tier, so much that all processes together have at most `capacity`.
  Bytes take(TierId tier, Bytes wanted, Bytes capacity);
  /// This process has exactly this from now on.
  void settle(const Amounts& own);
  /// What all processes together have.
  Bytes taken(TierId tier);
  /// How often the lock was not to be had: some process holds it and does not go on.
  std::uint64_t misses() const;
  /// What became of the file, one sentence; "": all is well.
  std::string remark() const;

 private:
  explicit Ledger(std::unique_ptr<struct LedgerState> state);
  std::unique_ptr<LedgerState> state_;
};

}  // namespace lbhm::host
