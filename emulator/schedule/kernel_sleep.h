// Threads that sleep in the kernel, as Linux tells it of the threads of this process. Neither locks nor allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lbhm::emulator {

/// In nanoseconds; it stands still while the thread sleeps. Nothing: there is no such thread.
std::optional<std::uint64_t> processor_time(int thread);

/// It does not run, nor is it about to, nor does it wait for a disk.
bool sleeps(int thread);

/// It sleeps, and others may end that: not for a time (nanosleep), nor until somebody reads what it prints. One that
/// sleeps on a futex in one of `ours` is on its way: who lets it go may be held up on a busy computer.
bool waits_for_others(int thread, std::span<const std::span<const std::byte>> ours);

/// All threads of the process sleep but the caller and `those`, which are left out. False where nobody can tell.
bool others_sleep(std::span<const int> those);

}  // namespace lbhm::emulator
