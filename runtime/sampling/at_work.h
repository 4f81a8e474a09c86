// Threads that block all signals for a moment because we make them: in our handler, or with our lock.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

#include "runtime/sampling/direct_calls.h"

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

}  // namespace lbhm::sampling
