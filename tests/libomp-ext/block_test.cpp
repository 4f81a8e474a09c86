// Blocks from malloc and their headers.
#include "libomp-ext/allocators/blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace lbhm::allocators {
namespace {

constexpr Owner owner{7 << 16 | 2000};

void* mallocs(const Request& request) { return give_block({.sources = {Source::malloc}, .owner = owner}, request); }

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Block, HeaderHoldsWhatWasWritten) {
  void* block = mallocs({1000, 64});
  const BlockHeader* header = find_header(block);
  ASSERT_NE(header, nullptr);
  EXPECT_EQ(header->bytes, 1000u);
  EXPECT_EQ(header->owner(), owner);
  EXPECT_EQ(header->alignment(), 64u);
  release_block(take_block(block), block);
}

TEST(Block, AlignedAndNeverOnAPageBoundary) {
  std::vector<void*> blocks;
  for (std::uint64_t alignment = 1; alignment < page_bytes; alignment *= 2) {
    for (std::uint64_t bytes = 1; bytes < 700; bytes += 13) {
      void* block = mallocs({bytes, alignment});
      EXPECT_EQ(address(block) % std::max<std::uint64_t>(alignment, 16), 0u);
      EXPECT_NE(address(block) % page_bytes, 0u);
      std::memset(block, 0xff, bytes);
      blocks.push_back(block);
    }
  }
  for (void* block : blocks) {
    const Block known = take_block(block);
    ASSERT_EQ(known.source, Source::malloc);
    release_block(known, block);
  }
}

TEST(Block, ForeignPointersHaveNoHeader) {
  alignas(64) std::array<char, 256> memory{};
  EXPECT_EQ(find_header(&memory[64]), nullptr);
  EXPECT_EQ(find_header(&memory[65]), nullptr);
  memory.fill(0x55);
  EXPECT_EQ(find_header(&memory[64]), nullptr);
}

TEST(Block, ADamagedHeaderIsNoHeader) {
  auto* block = static_cast<char*>(mallocs({100}));
  for (int i = 1; i <= static_cast<int>(header_bytes); ++i) {
    block[-i] ^= 1;
    EXPECT_EQ(find_header(block), nullptr) << i;
    block[-i] ^= 1;
  }
  ASSERT_NE(find_header(block), nullptr);
  release_block(take_block(block), block);
}

TEST(Block, ResizeKeepsContentAndOwner) {
  void* block = mallocs({100});
  std::memset(block, 3, 100);
  for (std::uint64_t bytes = 100; bytes < 100000; bytes += 977) {
    block = resize_block(find_block(block), bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(static_cast<char*>(block)[99], 3);
    EXPECT_EQ(find_header(block)->owner(), owner);
    EXPECT_EQ(find_header(block)->bytes, bytes);
    if (find_header(block)->shifted()) break;
  }
  release_block(take_block(block), block);
}

TEST(Block, SizesThatOverflowGiveNull) {
  EXPECT_EQ(mallocs({UINT64_MAX}), nullptr);
  EXPECT_EQ(mallocs({UINT64_MAX - 20, 64}), nullptr);
  void* block = mallocs({1});
  EXPECT_EQ(resize_block(find_block(block), UINT64_MAX - 3), nullptr);
  release_block(take_block(block), block);
}

}  // namespace
}  // namespace lbhm::allocators
