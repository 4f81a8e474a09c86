// Lane L of a region ends the process in the way that the first argument names.
#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>

static double data[1 << 16];

static void work() {
  for (int round = 0; round < 5; ++round)
    for (int i = omp_get_thread_num(); i < 1 << 16; i += omp_get_num_threads()) data[i] += 1;
}

static void end(const std::string& way) {
  if (way == "exit") std::exit(3);
  if (way == "_exit") _exit(3);
  if (way == "quick_exit") std::quick_exit(3);
  if (way == "exec") execl("/bin/sh", "sh", "-c", "exit 3", nullptr);
  if (way == "abort") std::abort();
}

int main(int, char** arguments) {
  const int lane = std::atoi(arguments[2]);
#pragma omp parallel num_threads(3)
  {
    work();
    if (omp_get_thread_num() == lane) end(arguments[1]);
#pragma omp barrier
    work();
  }
}
