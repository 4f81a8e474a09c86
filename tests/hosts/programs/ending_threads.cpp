// N threads one after the other, alone or with a parallel region in each. Says whether the process grew.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

static long resident_kib() {
  long all = 0, resident = 0;
  FILE* file = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(file, "%ld %ld", &all, &resident) != 2) std::abort();
  std::fclose(file);
  return resident * 4;
}

static std::vector<double> data(4096);

static void alone() {
  for (double& value : data) value += 1;
}

static void with_region() {
#pragma omp parallel for num_threads(2)
  for (std::size_t i = 0; i < data.size(); ++i) data[i] += 1;
}

int main(int, char** arguments) {
  const int threads = std::atoi(arguments[1]);
  auto* const work = std::string_view(arguments[2]) == "alone" ? alone : with_region;
  long warm = 0;
  for (int i = 0; i < threads; ++i) {
    if (i == threads / 10) warm = resident_kib();
    std::thread(work).join();
  }
  const long grown = resident_kib() - warm;
  if (grown >= 1024) std::printf("grew by %ld KiB\n", grown);
  std::printf("sum %.0f\n", data[0] + data[4095]);
}
