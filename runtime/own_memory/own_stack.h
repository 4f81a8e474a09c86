// Stacks of our own, for work that goes deep on threads and coroutines of programs that have a few KiB.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace lbhm {

/// work(data) on a stack of ours; on the caller's where that is the first thread's, one of ours, or none is to be had.
void on_own_stack(void (*work)(void*), void* data);

struct OwnStack {
  static constexpr std::size_t bytes = std::size_t{256} << 10;  ///< handlers of signals may come on it, too

  std::atomic<bool> busy;
  std::atomic<char*> memory;  ///< null: not used yet

  /// The last words: the frame of the function that left the caller's stack for this one.
  static const void** top(char* from) { return reinterpret_cast<const void**>(from + bytes - 2 * sizeof(void*)); }
};
/// As many threads may be deep in our code at once.
inline constinit std::array<OwnStack, 256> own_stacks{};
inline constinit std::atomic<std::size_t> own_stacks_used{0};

/// `frame` of a function on a stack of ours: that of the function which left the caller's stack for it. Else `frame`.
inline const void* left_from(const void* frame) {
  const std::size_t count = own_stacks_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    char* const memory = own_stacks[i].memory.load(std::memory_order_acquire);
    if (memory && frame >= memory && frame < memory + OwnStack::bytes) return *OwnStack::top(memory);
  }
  return frame;
}

}  // namespace lbhm
