// Door of runtime/host's watched pages, for those who stand in front of the system's functions: whatever the
// program does with its memory and its signals comes first, and watching yields (docs/sampling.md).
//
// All of this may be called from signal handlers, allocators and before constructors: it takes no lock and allocates
// nothing as long as pages are not watched in this process. errno stays as it is.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace lbhm::watching {

/// True from the moment on at which pages may be watched in this process. All else may be left out before.
inline std::atomic<bool> begun{false};
inline bool possible() { return begun.load(std::memory_order_relaxed); }

/// As long as it lives no page is watched that was not before; those of the range, or all, were put back.
class Pause {
 public:
  Pause();
  Pause(const void* address, std::size_t bytes);
  ~Pause();
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

 private:
  const bool active_;
};

using SigactionFunction = int(int, const struct sigaction*, struct sigaction*);
/// sigaction(SIGSEGV, ...) of the program: where our handler is in front of its own, the program sees and changes its
/// own. `real`: the function behind ours.
int segv_action(const struct sigaction* fresh, struct sigaction* before, SigactionFunction* real);

/// The calling thread's alternate signal stack: never watched. Null: it has none any more.
void alternate_stack(const void* address, std::size_t bytes);

/// Nothing is watched any more in this process. `why`: part of a sentence for the report, with a remedy; not copied.
void never_again(const char* why);

/// The threads of LB-HM's own; 0: a free place.
inline constinit std::array<std::atomic<pid_t>, 256> own_threads{};

/// The calling thread is LB-HM's own as long as this lives: it touches nothing that may be watched, whatever signals it
/// blocks. Without a free place it counts as the program's, and nothing is watched as long as it lives.
class OwnThread {
 public:
  /// `self`: gettid().
  explicit OwnThread(pid_t self) {
    for (auto& place : own_threads) {
      pid_t nobody = 0;
      if (!place.compare_exchange_strong(nobody, self)) continue;
      place_ = &place;
      return;
    }
  }
  ~OwnThread() {
    if (place_) place_->store(0);
  }
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

 private:
  std::atomic<pid_t>* place_ = nullptr;
};

}  // namespace lbhm::watching
