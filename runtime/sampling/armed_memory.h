// Armed pages and how they are put back: what the handler, arming and pauses work on.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "runtime/machine/machine.h"
#include "runtime/sampling/armed_pages.h"
#include "runtime/sampling/at_work.h"
#include "runtime/sampling/fault_lock.h"
#include "runtime/sampling/mapped_array.h"

namespace lbhm::sampling {

/// Neighbouring pages that are treated alike. At most this many at once: as long as the lock is held others wait.
struct Run {
  std::uintptr_t first = 0;
  std::size_t pages = 0;
  int protection = 0;
};
inline constexpr std::size_t most_run_pages = 4096;

/// Faults of one reason that nobody has drained yet.
struct FaultLog {
  static constexpr std::size_t most_records = 1 << 16;
  MappedArray<HintFault> records{most_records};
  MappedArray<HintFault> drained{most_records};  // swapped with records
  std::size_t recorded = 0;
  std::uint64_t unrecorded = 0;
};

/// In memory of its own, never freed: a fault may be under way at any time.
struct ArmedMemory {
  ArmedMemory(std::size_t page_bytes, FaultLock& shared) : page(page_bytes), lock(shared), armed(page_bytes) {}

  const std::size_t page;
  FaultLock& lock;  // of all that follows
  ArmedPages armed;
  std::uint64_t generation = 0;  // grows whenever pages are armed
  FaultLog hints, samples;
  std::uint64_t given_back = 0;
  std::atomic<LaneId (*)()> lane{nullptr};
  std::atomic<std::size_t> armed_now{0};  // never too low
  std::atomic<std::uint64_t> resolved{0};
  std::atomic<std::uint64_t> handler_ns{0};  // of all of them
};

/// Null: nothing was armed yet.
ArmedMemory* armed_memory();
/// Makes it if need be. Null: there is no memory, or this process must not watch pages.
ArmedMemory* make_armed_memory();

/// Holds the lock, by a thread that has all signals blocked: nothing that may be armed is to be touched meanwhile.
class Locked {
 public:
  explicit Locked(ArmedMemory& memory) : memory_(memory) { memory_.lock.lock(); }
  ~Locked() {
    memory_.armed_now.store(memory_.armed.armed(), std::memory_order_seq_cst);
    memory_.lock.unlock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  ArmedMemory& memory_;
};

/// Blocks the signals of the thread, too.
class Hold {
 public:
  explicit Hold(ArmedMemory& memory) : locked_(memory) {}

 private:
  SignalsBlocked signals_;
  AtWork at_work_;
  Locked locked_;
};

// With the lock held:

bool protect(const ArmedMemory& memory, const Run& run, int protection);
void forget(ArmedMemory& memory, const Run& run);
/// Puts a page back. Where the kernel has no room for the pieces of the mapping, the whole of it.
void release(ArmedMemory& memory, std::uintptr_t page);
/// Pages that follow each other in the list and in memory go back with one call.
void release_neighbours(ArmedMemory& memory, std::span<const std::uintptr_t> pages);

// Without:

/// Puts back what is armed of [first, end), and perhaps neighbours. In any thread or handler, while nobody can arm
/// pages.
void put_back(std::uintptr_t first, std::uintptr_t end);

}  // namespace lbhm::sampling
