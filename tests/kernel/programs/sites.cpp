// Two places that ask malloc for memory: what the first one asks for fills fast memory, what the second one asks for,
// in four blocks, does not fit. Then the last block of the second one gets its pages anew, again and again, so that a
// sampler of page faults sees accesses to that site alone, until the other blocks are fast. Prints where these are, by
// the kernel.
#include <sys/mman.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "programs/nodes.h"

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t cold_bytes = 6 * mib;
constexpr std::array sizes{mib, mib, mib, mib / 4};
constexpr long hot_pages = 3 * 256;

struct Block {
  char* data;
  std::size_t bytes;
};

kernel_test::Where nodes(const std::array<Block, sizes.size()>& blocks) {
  kernel_test::Where all;
  for (const Block& block : std::span(blocks).first(blocks.size() - 1)) {
    const kernel_test::Where at = kernel_test::where(facts::nodes_of(block.data, block.bytes));
    all.fast += at.fast, all.slow += at.slow, all.absent += at.absent;
  }
  return all;
}

void print(const char* when, const std::array<Block, sizes.size()>& hot, const char* cold) {
  const kernel_test::Where at = nodes(hot);
  std::printf("nodes %s-hot %ld %ld %ld\n", when, at.fast, at.slow, at.absent);
  kernel_test::print_nodes((std::string(when) + "-cold").c_str(), cold, cold_bytes);
}

}  // namespace

int main() {
  char* const cold = static_cast<char*>(std::malloc(cold_bytes));
  std::memset(cold, 1, cold_bytes);
  std::array<Block, sizes.size()> hot{};
#pragma clang loop unroll(disable)  // each would be a place of its own
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    hot[i] = {static_cast<char*>(std::malloc(sizes[i])), sizes[i]};
    std::memset(hot[i].data, 2, hot[i].bytes);
  }
  print("before", hot, cold);
  const Block& again = hot.back();
  const auto begin = std::chrono::steady_clock::now();
  long rounds = 0;
  for (; nodes(hot).fast < hot_pages && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60); ++rounds) {
#pragma omp parallel num_threads(1)
    for (int i = 0; i < 20; ++i) {
      madvise(again.data, again.bytes, MADV_DONTNEED);
      std::memset(again.data, 2, again.bytes);
    }
  }
  print("after", hot, cold);
  std::size_t wrong = 0;
  for (const Block& block : hot)
    for (std::size_t i = 0; i < block.bytes; ++i) wrong += block.data[i] != 2;
  for (std::size_t i = 0; i < cold_bytes; ++i) wrong += cold[i] != 1;
  std::printf("number rounds %ld\nnumber wrong %zu\n", rounds, wrong);
}
