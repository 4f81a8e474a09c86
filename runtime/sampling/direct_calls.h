// System calls that pass by the functions of the program's process: those may be ours, and would ask us again.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

// glibc's own sigaction, under the name that nobody stands in front of.
extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*) noexcept;

namespace lbhm::sampling::direct {

inline bool protect(std::uintptr_t address, std::size_t bytes, int protection) {
  return syscall(SYS_mprotect, address, bytes, protection) == 0;
}

inline void unmap(void* address, std::size_t bytes) { syscall(SYS_munmap, address, bytes); }

/// `before` may be null.
inline void set_mask(int how, const sigset_t& mask, sigset_t* before) {
  constexpr std::size_t kernel_bytes = _NSIG / 8;
  syscall(SYS_rt_sigprocmask, how, &mask, before, kernel_bytes);
}

inline int action(int signal, const struct sigaction* fresh, struct sigaction* before) {
  return __sigaction(signal, fresh, before);
}

}  // namespace lbhm::sampling::direct
