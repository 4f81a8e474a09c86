// Who comes first: the program's calls begin and end pauses, arming is refused while one lasts or if one was since. And
// what belongs to this process alone: a child made by fork(2), or by a bare clone(2), finds zeroes there.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/host/sampling/armed_memory.h"

namespace lbhm::sampling {

struct ProcessWords {
  std::atomic<bool> ours;  ///< false: we are in a child
  FaultLock pages;         ///< of armed pages and what was recorded
  FaultLock actions;       ///< of what the program wants done on SIGSEGV
};

/// From now on pages may be watched. False: the kernel cannot tell children apart (Linux before 4.14), or this is one.
bool begin_watching();
/// Null before begin_watching().
ProcessWords* process_words();

class Pauses {
 public:
  /// The state of things at which somebody who wants to arm pages begins to look around.
  using Ticket = std::uint64_t;

  /// Armed pages of [first, end) are put back; afterwards nothing is armed until end(). In any thread or handler.
  void begin(std::uintptr_t first = 0, std::uintptr_t end = ~std::uintptr_t{0});
  void end();
  void for_ever(const char* why) {
    begin();
    why_for_ever_.store(why, std::memory_order_release);
  }
  /// Null: there is no such pause.
  const char* why_for_ever() const { return why_for_ever_.load(std::memory_order_acquire); }

  /// Nothing: a pause is under way.
  std::optional<Ticket> ticket() const;
  /// No pause began since. Whoever asks has said before, in a sequentially consistent store, that pages are armed: so
  /// either this sees the pause, or the pause sees the pages.
  bool valid(Ticket ticket) const;

 private:
  std::atomic<std::uint64_t> epoch_{0};
  std::atomic<int> under_way_{0};
  std::atomic<const char*> why_for_ever_{nullptr};
};

/// Of this process.
Pauses& pauses();

}  // namespace lbhm::sampling
