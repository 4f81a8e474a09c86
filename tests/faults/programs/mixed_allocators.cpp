// Random calls of OpenMP's allocators on several threads; blocks change hands, and every byte is checked.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/faults/programs/program.h"

namespace {

struct Random {
  std::uint64_t state;
  std::uint64_t operator()(std::uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
  }
};

struct Block {
  unsigned char* bytes = nullptr;
  std::size_t size = 0;
  unsigned char value = 0;
};

std::mutex mutex;
std::vector<Block> shared;
std::vector<omp_allocator_handle_t> allocators{omp_null_allocator};
std::atomic<long> wrong_bytes{0}, misaligned{0};

void check(const Block& block, std::size_t size, unsigned char value) {
  long wrong = 0;
  for (std::size_t i = 0; i < size; ++i) wrong += block.bytes[i] != value;
  wrong_bytes += wrong;
}

Block allocate(Random& random, omp_allocator_handle_t by) {
  Block block{.bytes = nullptr, .size = std::size_t(1) << random(19), .value = static_cast<unsigned char>(random(256))};
  block.size += random(block.size);
  const std::size_t alignment = std::size_t(1) << random(17);
  const bool aligned = random(2), zeroed = random(2);
  void* bytes = nullptr;
  if (aligned)
    bytes = zeroed ? omp_aligned_calloc(alignment, 1, block.size, by) : omp_aligned_alloc(alignment, block.size, by);
  else
    bytes = zeroed ? omp_calloc(1, block.size, by) : omp_alloc(block.size, by);
  block.bytes = static_cast<unsigned char*>(bytes);
  if (!bytes) return block;
  if (aligned) misaligned += reinterpret_cast<std::uintptr_t>(bytes) % alignment != 0;
  if (zeroed) check(block, block.size, 0);
  std::memset(bytes, block.value, block.size);
  return block;
}

/// Any thread's block, checked; none if there is none.
Block take(Random& random) {
  const std::lock_guard lock(mutex);
  if (shared.empty()) return {};
  std::swap(shared[random(shared.size())], shared.back());
  const Block block = shared.back();
  shared.pop_back();
  return block;
}

void give(const Block& block) {
  const std::lock_guard lock(mutex);
  shared.push_back(block);
}

void reallocate(Random& random, Block block, omp_allocator_handle_t to) {
  const std::size_t size = random(200'000) + 1;
  void* const bytes = omp_realloc(block.bytes, size, to, omp_null_allocator);
  if (!bytes) return omp_free(block.bytes, omp_null_allocator);
  block.bytes = static_cast<unsigned char*>(bytes);
  check(block, block.size < size ? block.size : size, block.value);
  block.size = size;
  std::memset(bytes, block.value, size);
  give(block);
}

void work(std::uint64_t seed, int operations) {
  Random random{seed * 0x9e3779b97f4a7c15 + 1};
  for (int i = 0; i < operations; ++i) {
    const omp_allocator_handle_t by = allocators[random(allocators.size())];
    if (random(2)) {
      if (const Block block = allocate(random, by); block.bytes) give(block);
      continue;
    }
    const Block block = take(random);
    if (!block.bytes) continue;
    check(block, block.size, block.value);
    if (random(3) == 0)
      reallocate(random, block, by);
    else
      omp_free(block.bytes, omp_null_allocator);
  }
}

void make_allocators() {
  for (std::uintptr_t predefined = 1; predefined <= 8; ++predefined)
    allocators.push_back(static_cast<omp_allocator_handle_t>(predefined));
  for (const omp_memspace_handle_t space : {omp_default_mem_space, omp_high_bw_mem_space, omp_large_cap_mem_space}) {
    const omp_alloctrait_t aligned[] = {{omp_atk_alignment, 256}, lbhm_managed(true)};
    const omp_alloctrait_t pool[] = {{omp_atk_pool_size, 8 << 20}, {omp_atk_fallback, omp_atv_default_mem_fb}};
    allocators.push_back(lbhm_init_allocator(space, 2, aligned));
    allocators.push_back(lbhm_init_allocator(space, 2, pool));
  }
}

}  // namespace

int main() {
  make_allocators();
  constexpr int operations = 2'000;
  std::thread first(work, 1, operations), second(work, 2, operations);
#pragma omp parallel num_threads(3)
  work(10 + static_cast<std::uint64_t>(omp_get_thread_num()), operations);
  first.join();
  second.join();
  for (const Block& block : shared) {
    check(block, block.size, block.value);
    omp_free(block.bytes, omp_null_allocator);
  }
  std::printf("wrong bytes %ld, misaligned blocks %ld\n", wrong_bytes.load(), misaligned.load());
  return faults::finish();
}
