// Is the size of a block known, and only of blocks?
#include "libomp-ext/allocators/blocks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>

#include "libomp-ext/allocators/allocate.h"

namespace lbhm::allocators {
namespace {

TEST(BlockSize, IsAsItWasAskedFor) {
  for (const std::uint64_t alignment : {0, 16, 64, 4096, 1 << 16}) {
    for (const std::uint64_t bytes : {1, 100, 4096, 5000, 1 << 20}) {
      void* const block = allocate(omp_default_mem_alloc, {bytes, alignment}, 0);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(block_size(block), bytes) << alignment;
      EXPECT_EQ(block_size(static_cast<char*>(block) + 16), std::nullopt);
      release(block);
    }
  }
}

TEST(BlockSize, FreedBlocksHaveNone) {
  void* const block = allocate(omp_default_mem_alloc, {100}, 0);
  release(block);
  EXPECT_EQ(block_size(block), std::nullopt);
}

TEST(BlockSize, OtherMemoryHasNone) {
  alignas(64) std::array<char, 256> memory{};
  EXPECT_EQ(block_size(&memory[64]), std::nullopt);
  EXPECT_EQ(block_size(&memory[65]), std::nullopt);
}

TEST(BlockSize, AddressesThatNobodyCanReadAreAskedWithoutHarm) {
  void* const hidden = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(hidden, MAP_FAILED);
  EXPECT_EQ(block_size(static_cast<char*>(hidden) + 64), std::nullopt);
  munmap(hidden, 4096);
  for (const std::uintptr_t address : {0ul, 8ul, 16ul, 0x10010ul, ~0xful})
    EXPECT_EQ(block_size(reinterpret_cast<void*>(address)), std::nullopt);
}

}  // namespace
}  // namespace lbhm::allocators
