// Threads with the smallest stack that there may be: they allocate, map, wait for each other and take a signal.
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/faults/programs/program.h"

namespace {

constexpr std::size_t large = 1 << 20, smallest = 16384;  // PTHREAD_STACK_MIN of x86-64
std::atomic<int> signals{0};
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long total = 0;

void* work(void*) {
  long sum = 0;
  for (int i = 0; i < 50; ++i) {
    char* const block = static_cast<char*>(std::calloc(large, 1));
    std::memset(block, 1, 4096);
    sum += block[i] + block[large - 1];
    std::free(block);
    void* const mapped = mmap(nullptr, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(mapped, large);
  }
  pthread_kill(pthread_self(), SIGUSR1);
  pthread_mutex_lock(&mutex);
  total += sum;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

}  // namespace

int main() {
  std::signal(SIGUSR1, [](int) { ++signals; });
  const faults::Array array(1 << 18);
  faults::add_one(array);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const int refused = pthread_attr_setstacksize(&attributes, smallest);
  pthread_t threads[8];
  for (pthread_t& thread : threads) pthread_create(&thread, &attributes, work, nullptr);
  faults::add_one(array);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  std::printf("refused %d, bytes %ld, signals %d, sum %.0f\n", refused, total, signals.load(), array.sum());
  return faults::finish();
}
