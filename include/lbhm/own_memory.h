// Door of runtime/own_memory: the heap of LB-HM's own data, apart from the program's.
#pragma once

#include <cstddef>

namespace lbhm::own_memory {

/// Memory for our own data, aligned to `alignment`, a power of two up to 4096. Null: the kernel gives none. Any thread
/// may call it, at any time but from a signal handler that interrupted a call of this room (see `busy`).
void* allocate(std::size_t bytes, std::size_t alignment = 16) noexcept;
/// Gives back what allocate returned; null is no block.
void release(void* block) noexcept;

/// The calling thread is inside of this room: a signal handler that sees this must do without memory.
bool busy() noexcept;

// Around fork(2): the child has only the thread that forked, and the heap is whole there.
void before_fork() noexcept;
void after_fork() noexcept;  ///< in the parent and in the child

}  // namespace lbhm::own_memory
