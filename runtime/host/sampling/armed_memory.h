// What the handler of hint faults works on: how armed pages go back, the table of them, its memory and its lock.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "runtime/host/sampling/obstacles.h"
#include "runtime/machine/machine.h"

namespace lbhm::sampling {

/// Zeroed; empty if there is no memory.
template <class T>
class MappedArray {
 public:
  MappedArray() = default;
  explicit MappedArray(std::size_t count) {
    void* const at =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return;
    items_ = static_cast<T*>(at);
    count_ = count;
  }
  ~MappedArray() {
    if (items_) direct::unmap(items_, count_ * sizeof(T));  // under the lock that a pause would ask for
  }
  MappedArray(MappedArray&& other) noexcept { swap(other); }
  MappedArray& operator=(MappedArray&& other) noexcept {
    MappedArray(std::move(other)).swap(*this);
    return *this;
  }

  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }

  /// The items stay for the rest of the process.
  T* release() {
    count_ = 0;
    return std::exchange(items_, nullptr);
  }
  void swap(MappedArray& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(count_, other.count_);
  }

 private:
  T* items_ = nullptr;
  std::size_t count_ = 0;
};

/// Whoever holds it must have all signals blocked and touch nothing that may be armed. Lies in memory that a forked
/// child gets zeroed (pauses.h): there nobody holds it.
class FaultLock {
 public:
  void lock() {
    for (int tries = 0; held_.exchange(1, std::memory_order_acquire) != 0; ++tries) wait(tries);
  }
  void unlock() { held_.store(0, std::memory_order_release); }

 private:
  /// A holder may have less priority than whoever waits, so that yielding alone would not let it run.
  static void wait(int tries) {
    constexpr int patience = 100;
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 50'000};
    if (tries < patience) {
      syscall(SYS_sched_yield);
    } else {
      syscall(SYS_nanosleep, &moment, nullptr);
    }
  }
  std::atomic<int> held_{0};
};

/// Blocks the thread's signals while it lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    direct::set_mask(SIG_SETMASK, all, &before_);
  }
  ~SignalsBlocked() { direct::set_mask(SIG_SETMASK, before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// Why a page is armed; a page may be so for several reasons.
enum class Armed : std::uint8_t { for_hint = 1, for_accessed_bit = 2, for_sample = 4 };

/// A hash table with open addressing; never shrinks. Not locked: its owner does that.
class ArmedPages {
 public:
  struct Entry {
    int protection = 0;    ///< PROT_READ | ... before it was armed
    unsigned reasons = 0;  ///< bits of Armed; 0: not armed
  };
  /// `page`: bytes of a page, 4096 or more.
  explicit ArmedPages(std::size_t page) : page_(page) {}

  /// Makes room for so many more pages. False: no memory, nothing changed.
  bool reserve(std::size_t more);
  Entry find(std::uintptr_t page) const;
  /// Sets the entry of a page; room was reserved, or the page is there.
  void set(std::uintptr_t page, Entry entry);
  std::size_t armed() const { return armed_; }

  std::size_t slots() const { return slots_.size(); }
  /// The page of a slot; 0: none that is armed.
  std::uintptr_t armed_at(std::size_t slot) const;

 private:
  /// Page address with the entry in its low bits; 0: empty.
  using Slot = std::uint64_t;
  std::size_t slot_of(std::uintptr_t page) const;
  void rehash(MappedArray<Slot> slots);

  std::size_t page_;
  MappedArray<Slot> slots_;
  std::size_t used_ = 0;  // slots that are not empty, armed or not
  std::size_t armed_ = 0;
};

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
