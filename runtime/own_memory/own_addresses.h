// Where our heap lies: addresses that are taken once, when LB-HM begins. A thread of ours that asked the
// kernel for memory while the program runs would get addresses that the program has just unmapped; and programs count
// on such a hole: they map at its address again, or unmap what was around it.
#pragma once

#include <cstddef>

namespace lbhm::own_memory {

inline constexpr std::size_t slot_bytes = 64 << 10;

/// Memory of `bytes`, more than none, that begins at a multiple of slot_bytes. Where our addresses are used up,
/// or the process may not have so many (ulimit -v), it lies where the kernel says. Null: there is none. The caller
/// holds a lock over this and `unmap`.
char* map(std::size_t bytes) noexcept;
/// Gives back what `map` returned for as many bytes.
void unmap(char* memory, std::size_t bytes) noexcept;
/// What is not used goes back to the kernel, and `map` takes no more of it. Under the caller's lock, too.
void give_up_unused() noexcept;

/// Does `map` give addresses of our own? For tests.
bool is_our_address(const void* memory) noexcept;

}  // namespace lbhm::own_memory
