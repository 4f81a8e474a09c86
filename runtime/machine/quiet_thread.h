// Threads of ours in a program of somebody else's.
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace lbhm {

/// A thread that none of the program's signals is delivered to. Throws std::system_error if there can be none.
template <class Work>
std::jthread quiet_thread(Work&& work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // inherited by the thread
  try {
    std::jthread thread(std::forward<Work>(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

}  // namespace lbhm
