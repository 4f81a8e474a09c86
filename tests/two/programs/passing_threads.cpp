// passing-threads WHO: 5,000 threads, one after the other, allocate blocks of omp_high_bw_mem_alloc. They free some,
// the next thread or the first one frees others after their end, and of each thread one small block stays until exit().
//   first     the first block is the process's first thread's
//   passing   the first block is that of a thread that ends
// Says how many KiB more are resident at the end than after 1,000 threads, and how many blocks were not as they were
// left.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/faults/programs/resident.h"

namespace {

constexpr int threads = 5'000, settled = 1'000;
constexpr std::size_t step = 512;  // bytes; every page is touched
constexpr std::array<std::size_t, 6> sizes{16, 64, 700, 5'000, 50'000, 300'000};
long wrong = 0;

struct Block {
  unsigned char* memory;
  std::size_t bytes;
  unsigned char mark;
};

Block allocate(std::size_t bytes, int mark) {
  const Block block{static_cast<unsigned char*>(omp_alloc(bytes, omp_high_bw_mem_alloc)), bytes,
                    static_cast<unsigned char>(mark)};
  for (std::size_t i = 0; i < bytes; i += step) block.memory[i] = block.mark;
  return block;
}

void release(const Block& block) {
  bool same = true;
  for (std::size_t i = 0; i < block.bytes; i += step) same = same && block.memory[i] == block.mark;
  if (!same) ++wrong;
  omp_free(block.memory, omp_null_allocator);
}

using Blocks = std::vector<Block>;
Blocks kept;  // one of each thread

void release_all(Blocks& blocks) {
  for (const Block& block : blocks) release(block);
  blocks.clear();
}

/// `before`: what the thread before has left for this one. `after`: what this one leaves for the first thread.
void live(int number, Blocks& before, Blocks& after) {
  release_all(before);
  Blocks own;
  for (const std::size_t bytes : sizes)
    for (Blocks* const owner : {&own, &before, &after}) owner->push_back(allocate(bytes, number));
  release_all(own);
  kept.push_back(allocate(64, number));
}

void release_in_child() {
  const pid_t child = fork();
  if (child == 0) {
    release_all(kept);
    _exit(wrong == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status != 0) ++wrong;
}

void release_at_exit() {
  release_all(kept);
  std::printf("wrong %ld\n", wrong);
}

}  // namespace

int main(int, char** words) {
  std::atexit(release_at_exit);
  if (words[1] == std::string("first")) release(allocate(64, 0));
  kept.reserve(threads);
  Blocks passed;
  Blocks returned;
  long before = 0;
  for (int i = 0; i < threads; ++i) {
    std::thread(live, i, std::ref(passed), std::ref(returned)).join();
    release_all(returned);
    if (i == settled) before = faults::resident_kib();
  }
  std::printf("grown %ld\n", faults::resident_kib() - before);
  std::fflush(stdout);
  release_all(passed);
  release_in_child();
}
