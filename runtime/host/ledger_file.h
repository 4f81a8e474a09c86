// The ledger of processes in a file: the table of records, the file, what a process knows of it by itself, and one look
// at it. Anybody of this user can write to the file, so nothing in it is believed: numbers may be any.
#pragma once

#include <sys/types.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "runtime/host/ledger.h"
#include "runtime/host/memory_calls.h"

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

/// It is not mapped: who truncates a mapped file kills all that look at it (SIGBUS). It does not stay open: programs
/// close descriptors that they do not know, and the next file that they open has our number. The lock is the process's
/// (fcntl(2), F_SETLK): a child of a fork does not have it, and nobody has it when the process is dead. Closing the
/// file gives it back.
class LedgerFile {
 public:
  enum class State : std::uint8_t {
    held,   ///< open and locked
    busy,   ///< somebody else holds the lock, or there is no descriptor left; may work later
    unfit,  ///< cannot be used; why() says what to do
  };

  LedgerFile() = default;
  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;

  /// Once. Makes the file if there is none, and waits for the lock at most so long. `name` stays as long as this.
  State open(const std::string& name, std::chrono::milliseconds patience);
  /// One sentence; "": nothing is wrong with the file.
  std::string why() const;

  // Held only. False: it is unfit.

  /// A file that ends early has no records after that.
  bool read(LedgerTable& table);
  bool write(const LedgerTable& table);  ///< all records in use
  bool write(const LedgerTable& table, std::size_t place);

 private:
  enum class Fault : std::uint8_t { none, open, foreign, lock, access, size };

  void open_it();
  bool ours();
  void lock(std::chrono::milliseconds patience);
  bool put(const void* data, std::size_t bytes, std::size_t offset);
  bool fail(Fault fault, int error = 0);

  const std::string* name_ = nullptr;
  int file_ = -1;
  State state_ = State::unfit;
  Fault fault_ = Fault::none;
  int error_ = 0;
};

using LedgerWords = std::array<std::uint64_t, Ledger::most_tiers>;  ///< bytes, as they are in the file

/// What is taken of a large tier is taken with so much on top, and given back as late: a program that allocates and
/// frees asks the file once. Of a small tier every byte may matter to somebody else.
constexpr std::uint64_t on_top_of(Bytes capacity) { return capacity.value >= (1ull << 30) ? 2ull << 20 : 0; }

struct LedgerState {
  static constexpr std::size_t nowhere = ~std::size_t{0};

  pid_t process = getpid();
  std::string file;         ///< "": this process's own table is all there is
  bool given_none = false;  ///< no place in the file, or no lock

  mutable std::mutex lock;  ///< of what follows
  LedgerRecord own{.process = process, .started = start_of(process), .bytes = {}};
  LedgerWords used{};  ///< what this process has; own.bytes is what the others are told
  /// By tier, as the last take had it. Of a tier without a limit nobody takes, and nobody needs to know exactly.
  LedgerWords on_top = [] {
    LedgerWords words{};
    words.fill(on_top_of(Bytes(~0ull)));
    return words;
  }();
  std::array<bool, Ledger::most_tiers> limited{};
  std::size_t place = nowhere;  ///< of our record
  LedgerTable table{};
  std::string remark;
  std::chrono::steady_clock::time_point buried, impatient_until;
  std::atomic<std::uint64_t> misses{0};

  /// Not in a child of a fork, where another thread of the parent may hold the lock for ever.
  bool usable() const { return !given_none && process == getpid(); }
  bool shared() const { return !file.empty(); }

  std::uint64_t spare(std::size_t tier) const { return own.bytes[tier] - std::min(own.bytes[tier], used[tier]); }

  /// What the others should be told.
  LedgerWords told() const {
    LedgerWords words = own.bytes;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t blur = limited[i] ? 0 : on_top[i];
      if (words[i] + blur < used[i]) words[i] = used[i] + blur;
      if (words[i] > used[i] + 2 * on_top[i]) words[i] = used[i] + on_top[i];
    }
    return words;
  }

  bool has_place() const { return place != nowhere; }
  bool entered() const { return has_place() && place < table.used && table.record[place].same_process(own); }

  /// From now on this process counts for itself. Why not is said once.
  void go_on_alone(const std::string& why) {
    remark = why;
    file.clear();
    table.used = 0;
    place = table.enter(own).value_or(nowhere);
  }
};

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
