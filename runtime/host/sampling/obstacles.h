// What stands in the way of hint faults: who blocks SIGSEGV, and who for us; which memory is never armed; calls past
// our own functions.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

namespace lbhm::sampling {

class AtWork {
 public:
  AtWork() {
    thread_local const auto self = static_cast<pid_t>(syscall(SYS_gettid));
    for (std::size_t probe = 0; probe < places.size(); ++probe) {
      auto& place = places[(static_cast<std::size_t>(self) + probe) % places.size()];
      pid_t nobody = 0;
      if (!place.compare_exchange_strong(nobody, self)) continue;
      place_ = &place;
      return;
    }
  }
  ~AtWork() {
    if (place_) place_->store(0);
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  static bool is(pid_t thread) {
    for (const auto& place : places)
      if (place.load() == thread) return true;
    return false;
  }

 private:
  static inline constinit std::array<std::atomic<pid_t>, 256> places{};  // 0: free
  std::atomic<pid_t>* place_ = nullptr;
};

struct StackRange {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};

/// Those that watching::alternate_stack() told of.
std::vector<StackRange> alternate_stacks();

/// Why no page must be armed now, as a part of a sentence, which is empty where it is our own doing; nothing: they may
/// be. `root`: of /proc.
std::optional<std::string> obstacle(const std::string& root);

}  // namespace lbhm::sampling
