// Do huge pages keep their size when they move?
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>

#include <cstdint>

#include "memory.h"

namespace facts {
namespace {

constexpr std::size_t huge = std::size_t{2} << 20;

TEST(HugePages, MoveWholeInOneEntryOfMovePages) {
  ASSERT_TRUE(set(huge_pages, "madvise"));
  const Pages pages(3 * huge / page_bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(pages.at(0));
  char* const aligned = pages.at(((begin + huge - 1) / huge * huge - begin) / page_bytes);
  ASSERT_EQ(madvise(pages.at(0), pages.bytes(), MADV_HUGEPAGE), 0);
  ASSERT_EQ(bind(pages, MPOL_BIND, {slow}), 0);
  aligned[0] = 1;
  ASSERT_GE(huge_kib(aligned, 1), 2048);
  std::vector<int> status;
  ASSERT_EQ(bind(pages, MPOL_BIND, {fast}), 0);
  EXPECT_EQ(move({aligned}, fast, status), 0);
  EXPECT_EQ(status, std::vector<int>{fast});
  EXPECT_GE(huge_kib(aligned, 1), 2048) << "the huge page was split";
  EXPECT_EQ(pages.nodes()[static_cast<std::size_t>(aligned - pages.at(0)) / page_bytes + 511], fast);
  set(huge_pages, "never");
}

}  // namespace
}  // namespace facts
