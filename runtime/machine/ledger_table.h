// The ledger's table: a record for each process. It comes from a file that anybody of this user can write to, so
// nothing in it is believed: numbers may be any.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>

#include "runtime/machine/ledger.h"

namespace lbhm::host {

struct LedgerRecord {
  std::int64_t process;   ///< 0: nobody's
  std::uint64_t started;  ///< numbers of processes are used again; this with them is not
  std::array<std::uint64_t, Ledger::most_tiers> bytes;

  bool same_process(const LedgerRecord& other) const { return process == other.process && started == other.started; }
};

struct LedgerTable {
  static constexpr std::uint64_t version = 0x6c62686d'6c656402;  // "lbhmled", 2
  static constexpr std::size_t records = 1024;                   // processes of a user at one time; others get none

  std::uint64_t format;
  std::uint64_t used;  ///< records from here on are nobody's, and are not looked at
  std::array<LedgerRecord, records> record;

  bool empty() const { return format == 0 && used == 0; }
  /// Of all records; at most 2^64 - 1.
  std::uint64_t sum(std::size_t tier) const;
  /// The place that the record got. Nothing: there is none.
  std::optional<std::size_t> enter(const LedgerRecord& fresh);
  /// Frees the records of processes that ended without a word. Whoever cannot see that it lives itself (no /proc, no
  /// descriptor left) says nothing of others.
  void bury_the_dead(const LedgerRecord& own);
};

/// When the process started, in ticks since boot (field 22 of /proc/PID/stat); 0: there is no such process.
std::uint64_t start_of(pid_t process);

}  // namespace lbhm::host
