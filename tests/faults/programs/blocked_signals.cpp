// Every signal is blocked, as in programs with a thread that waits for them (sigwait), while regions are planned.
#include <csignal>
#include <cstdio>

#include "tests/faults/programs/program.h"

int main() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const faults::Array array(1 << 20);
  for (int repeat = 0; repeat < 60; ++repeat) faults::add_one(array);
  std::printf("sum %.0f\n", array.sum());
  return faults::finish();
}
