// Door of runtime/own_memory: the heap of LB-HM's own data, apart from the program's.
#pragma once

#include <cstddef>

namespace lbhm::own_memory {

/// Memory for our own data, aligned to `alignment`, a power of two up to 4096. Null: the kernel gives none. Any thread
/// may call it, at any time but from a signal handler that interrupted LB-HM (inside.h).
void* allocate(std::size_t bytes, std::size_t alignment = 16) noexcept;
/// Gives back what allocate returned; null is no block.
void release(void* block) noexcept;

inline constinit thread_local int reserves = 0;
inline constinit thread_local bool reserve_drawn = false;

/// While one lives, what operator new cannot give the calling thread comes from a reserve of 8 MiB. For work whose
/// destructors allocate, as those of JSON values do: they may not fail. Such work asks `drawn` now and then, and gives
/// up when it says so, long before the reserve is used up.
class Reserve {
 public:
  Reserve() {
    if (reserves++ == 0) reserve_drawn = false;
  }
  ~Reserve() { --reserves; }
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;

  /// Since the outermost one of this thread began, or after the last one ended.
  static bool drawn() { return reserve_drawn; }
};

/// From the reserve, if a Reserve lives on this thread; null: none does, or there is no more. `release` takes it back.
void* allocate_reserved(std::size_t bytes, std::size_t alignment) noexcept;

/// The process is going to have fewer addresses (RLIMIT_AS): those that were only set aside go back to the kernel.
void give_up_addresses() noexcept;

// Around fork(2): the child has only the thread that forked, and the heap is whole there.
void before_fork() noexcept;
void after_fork() noexcept;  ///< in the parent and in the child

}  // namespace lbhm::own_memory
