// Threads of ours in a program of somebody else's.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "runtime/sampling/watching.h"

namespace lbhm {

/// A thread that none of the program's signals is delivered to, and that touches no managed memory. Throws
/// std::system_error if there can be none.
template <class Work>
std::jthread quiet_thread(Work&& work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // inherited by the thread
  try {
    std::jthread thread([run = std::forward<Work>(work)](const std::stop_token& stop) mutable {
      const watching::OwnThread own(gettid());
      if constexpr (std::is_invocable_v<decltype(run)&, std::stop_token>) {
        run(stop);
      } else {
        run();
      }
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

}  // namespace lbhm
