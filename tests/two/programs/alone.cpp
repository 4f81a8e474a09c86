// alone: how many threads the process has at each moment, and how often those beside the first one woke up within half
// a second.
//   start, region, object, at-work (while the program computes), idle (the object is gone)
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

/// Of all threads but the first; and how many there are.
std::pair<long, int> switches() {
  long sum = 0;
  int threads = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    ++threads;
    if (task.path().filename() == std::to_string(getpid())) continue;
    std::ifstream status(task.path() / "status");
    for (std::string word; status >> word;) {
      long count = 0;
      if (word == "voluntary_ctxt_switches:" && status >> count) sum += count;
    }
  }
  return {sum, threads};
}

void print(const char* moment, bool work = false) {
  usleep(200'000);  // what began before comes to rest
  const auto before = switches();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (work && std::chrono::steady_clock::now() < end) asm volatile("" ::: "memory");
  std::this_thread::sleep_until(end);
  const auto after = switches();
  std::printf("%s %d %ld\n", moment, after.second, after.first - before.first);
}

}  // namespace

int main() {
  void* const block = std::malloc(std::size_t{4} << 20);
  std::memset(block, 1, std::size_t{4} << 20);
  print("start");
  std::free(block);
#pragma omp parallel
  asm volatile("" ::: "memory");
  print("region");
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  void* const object = omp_alloc(std::size_t{4} << 20, allocator);
  std::memset(object, 1, std::size_t{4} << 20);
  print("object");
  print("at-work", true);
  omp_free(object, allocator);
  print("idle");
}
