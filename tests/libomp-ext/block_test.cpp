// Blocks from malloc and their headers.
#include "libomp-ext/allocators/plain_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace lbhm::allocators {
namespace {

constexpr Owner owner{2000, 7};

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Block, HeaderHoldsWhatWasWritten) {
  void* block = plain_allocate({1000, 64}, owner);
  const BlockHeader* header = find_header(block);
  ASSERT_NE(header, nullptr);
  EXPECT_EQ(header->bytes, 1000u);
  EXPECT_EQ(header->owner(), owner);
  EXPECT_EQ(header->alignment(), 64u);
  plain_release(find_header(block), block);
}

TEST(Block, AlignedAndNeverOnAPageBoundary) {
  std::vector<void*> blocks;
  for (std::uint64_t alignment = 1; alignment < page_bytes; alignment *= 2) {
    for (std::uint64_t bytes = 1; bytes < 700; bytes += 13) {
      void* block = plain_allocate({bytes, alignment}, owner);
      EXPECT_EQ(address(block) % std::max<std::uint64_t>(alignment, 16), 0u);
      EXPECT_NE(address(block) % page_bytes, 0u);
      std::memset(block, 0xff, bytes);
      blocks.push_back(block);
    }
  }
  for (void* block : blocks) {
    BlockHeader* header = find_header(block);
    ASSERT_NE(header, nullptr);
    plain_release(header, block);
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
  auto* block = static_cast<char*>(plain_allocate({100}, owner));
  for (int i = 1; i <= static_cast<int>(header_bytes); ++i) {
    block[-i] ^= 1;
    EXPECT_EQ(find_header(block), nullptr) << i;
    block[-i] ^= 1;
  }
  ASSERT_NE(find_header(block), nullptr);
  plain_release(find_header(block), block);
}

TEST(Block, ResizeKeepsContentAndOwner) {
  void* block = plain_allocate({100}, owner);
  std::memset(block, 3, 100);
  for (std::uint64_t bytes = 100; bytes < 100000; bytes += 977) {
    block = plain_resize(find_header(block), bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(static_cast<char*>(block)[99], 3);
    EXPECT_EQ(find_header(block)->owner(), owner);
    EXPECT_EQ(find_header(block)->bytes, bytes);
    if (find_header(block)->shifted()) break;
  }
  plain_release(find_header(block), block);
}

TEST(Block, SizesThatOverflowGiveNull) {
  EXPECT_EQ(plain_allocate({UINT64_MAX}, owner), nullptr);
  EXPECT_EQ(plain_allocate({UINT64_MAX - 20, 64}, owner), nullptr);
  void* block = plain_allocate({1}, owner);
  EXPECT_EQ(plain_resize(find_header(block), UINT64_MAX - 3), nullptr);
  plain_release(find_header(block), block);
}

}  // namespace
}  // namespace lbhm::allocators
