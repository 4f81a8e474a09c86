// A thread of a team reads address 8: the program's handler must see it, as it was.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>

#include "tests/faults/programs/program.h"

namespace {

void on_fault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  _exit(reinterpret_cast<std::uintptr_t>(info->si_addr) == 8 && info->si_code == SEGV_MAPERR ? 11 : 12);
}

}  // namespace

int main() {
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  const faults::Array array(1 << 18);
  for (int repeat = 0; repeat < 20; ++repeat) faults::add_one(array);
  std::printf("sum %.0f\n", array.sum());
  std::fflush(stdout);
  faults::plan(array);
#pragma omp parallel
  if (omp_get_thread_num() == 1) std::printf("%d", *reinterpret_cast<volatile int*>(8));
  return faults::finish();
}
