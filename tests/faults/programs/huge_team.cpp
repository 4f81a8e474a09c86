// Asks for a team of as many threads as the argument says; OMP_THREAD_LIMIT leaves it with few.
#include <cstdio>
#include <cstdlib>

#include "tests/faults/programs/program.h"

int main(int argc, char** argv) {
  const int asked = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  int members = 0;
#pragma omp parallel num_threads(asked) reduction(+ : members)
  ++members;
  std::printf("asked for %d threads, got %d\n", asked, members);
  return faults::finish();
}
