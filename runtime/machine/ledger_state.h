// What a process knows of the ledger by itself.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

#include "runtime/machine/ledger.h"
#include "runtime/machine/ledger_table.h"

namespace lbhm::host {

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

}  // namespace lbhm::host
