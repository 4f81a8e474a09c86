// The ledger's file: a lock and a record for each process.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "runtime/machine/ledger.h"

namespace lbhm::host {

struct LedgerRecord {
  std::int64_t process;   ///< 0: nobody's
  std::uint64_t started;  ///< numbers of processes are used again; this with them is not
  std::array<std::uint64_t, Ledger::most_tiers> bytes;
};

struct LedgerTable {
  static constexpr std::uint64_t version = 0x6c62686d'6c656401;  // "lbhmled", 1
  static constexpr std::size_t records = 1024;                   // processes of a user at one time; others get none

  std::uint64_t format;
  pthread_mutex_t lock;
  std::array<LedgerRecord, records> record;
};

/// When the process started, in ticks since boot (field 22 of /proc/PID/stat); 0: there is no such process.
std::uint64_t start_of(pid_t process);

/// Holds the table's lock, if it could be had within that time.
class LedgerLock {
 public:
  explicit LedgerLock(LedgerTable& table, std::chrono::milliseconds patience = std::chrono::milliseconds(100));
  ~LedgerLock();
  LedgerLock(const LedgerLock&) = delete;
  LedgerLock& operator=(const LedgerLock&) = delete;
  explicit operator bool() const { return held_; }

 private:
  LedgerTable& table_;
  bool held_;
};

/// Makes a new table. False: this system has no locks that outlive processes.
bool make_table(LedgerTable& table);
/// The table in the file, made if there was none. Null: `why` says what to do.
LedgerTable* map_table(const std::string& file, std::string& why);
/// Frees the records of processes that ended without a word.
void bury_the_dead(LedgerTable& table);

}  // namespace lbhm::host
