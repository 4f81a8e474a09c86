// Sets the action of SIGSEGV inside of a planned region: `handler` its own, `default` the system's. It never faults.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "tests/faults/programs/watched_pages.h"

namespace {

void complain(int /*signal*/) {
  constexpr char text[] = "a fault that is not the program's\n";
  (void)!write(STDOUT_FILENO, text, sizeof text - 1);
  _exit(77);
}

}  // namespace

int main(int argc, char** argv) {
  const bool own = argc > 1 && std::strcmp(argv[1], "handler") == 0;
  char *const bytes = faults::watched(), *const other = faults::watched();
  for (int repeat = 0; repeat < 8; ++repeat)
    faults::while_watched(bytes, other, [&] {
      std::signal(SIGSEGV, own ? complain : SIG_DFL);
      for (std::size_t i = 0; i < faults::watched_bytes; i += faults::page_bytes) ++bytes[i];
    });
  std::printf("bytes[0] %d\n", bytes[0]);
  return faults::finish();
}
