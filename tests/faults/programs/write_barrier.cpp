// Protects its own managed memory to learn of writes, as collectors and incremental checkpoints do.
#include <sys/mman.h>

#include <csignal>
#include <cstdint>
#include <cstdio>

#include "tests/faults/programs/watched_pages.h"

namespace {

volatile std::sig_atomic_t writes_seen;

void on_write(int /*signal*/, siginfo_t* info, void* /*context*/) {
  writes_seen = writes_seen + 1;
  const auto page = reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(faults::page_bytes - 1);
  mprotect(reinterpret_cast<void*>(page), faults::page_bytes, PROT_READ | PROT_WRITE);
}

}  // namespace

int main() {
  struct sigaction action{};
  action.sa_sigaction = on_write;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  char *const bytes = faults::watched(), *const other = faults::watched();
  for (int repeat = 0; repeat < 6; ++repeat) {
    faults::while_watched(bytes, other, [&] { mprotect(bytes, faults::watched_bytes, PROT_READ); });
    for (std::size_t i = 0; i < faults::watched_bytes; i += faults::page_bytes) ++bytes[i];
  }
  std::printf("writes seen: %d\n", static_cast<int>(writes_seen));
  return faults::finish();
}
