// The address space is full, to the last 16 bytes: `regions` runs planned ones in it, `end` only ends.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "tests/faults/programs/program.h"

namespace {

void* volatile sink;

void fill() {
  constexpr rlimit little{1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &little);
  for (const std::size_t bytes : {65'536UL, 4'096UL, 256UL, 16UL}) {
    do sink = std::malloc(bytes);
    while (sink);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const faults::Array array(1 << 16);
  for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
  std::printf("sum %.0f\n", array.sum());
  std::fflush(stdout);
  fill();
  if (argc > 1 && std::strcmp(argv[1], "regions") == 0) {
    for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
    std::printf("sum %.0f\n", array.sum());
  }
  return faults::finish();
}
