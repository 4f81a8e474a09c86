// N regions of one lane, each in the one before, with a task in each; twice, so that the second time shows what stays.
#include <cstdio>
#include <cstdlib>

static long visits = 0;

static void nest(int levels) {
  if (levels == 0) return;
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    ++visits;
#pragma omp taskwait
    nest(levels - 1);
  }
}

int main(int, char** arguments) {
  const int levels = std::atoi(arguments[1]);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 2; ++i) nest(levels);
  std::printf("visits %ld\n", visits);
}
