// errno is 0 when main begins. Threads of a program that wait for each other, for signals and for pipes, while regions
// run.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>

#include "tests/faults/programs/program.h"

namespace {

/// Every signal that arrives until SIGTERM, in its order.
void take_signals(int* taken) {
  sigset_t all;
  sigfillset(&all);
  for (int signal = 0; signal != SIGTERM;) {
    if (sigwait(&all, &signal) != 0) continue;
    std::printf("got %d\n", signal);
    ++*taken;
  }
}

bool times_out() {
  sem_t never;
  sem_init(&never, 0, 0);
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 20'000'000;
  if (until.tv_nsec >= 1'000'000'000) until = {until.tv_sec + 1, until.tv_nsec - 1'000'000'000};
  return sem_clockwait(&never, CLOCK_MONOTONIC, &until) != 0;
}

}  // namespace

int main() {
  std::printf("errno %d\n", errno);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  int taken = 0, ends[2];
  std::thread taker(take_signals, &taken);
  if (pipe(ends) != 0) return 1;
  char received = 0;
  std::thread reader([&] { (void)!read(ends[0], &received, 1); });
  const faults::Array array(1 << 18);
  for (int i = 0; i < 3; ++i) faults::add_one(array);
  for (const int signal : {SIGUSR1, SIGALRM, SIGTERM}) {
    kill(getpid(), signal);
    for (sigset_t pending; sigpending(&pending) == 0 && sigismember(&pending, signal);) usleep(1000);
  }
  (void)!write(ends[1], "x", 1);
  reader.join();
  taker.join();
  pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  std::printf("signals %d, received %c, timed out %d, sum %.0f\n", taken, received, times_out(), array.sum());
  return faults::finish();
}
