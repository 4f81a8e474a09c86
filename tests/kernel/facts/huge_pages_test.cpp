// Do huge pages keep their size when they move?
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>

#include <cstdint>
#include <fstream>

#include "memory.h"

namespace facts {
namespace {

constexpr std::size_t huge = std::size_t{2} << 20;

/// Kilobytes of huge pages in the mapping that holds this address.
long huge_kib(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin <= at && at < end;
    if (inside && line.starts_with("AnonHugePages:")) return std::stol(line.substr(14));
  }
  return -1;
}

TEST(HugePages, MoveWholeInOneEntryOfMovePages) {
  // The kernel switches huge pages off on machines as small as this one.
  ASSERT_TRUE(set("/sys/kernel/mm/transparent_hugepage/enabled", "madvise"));
  const Pages pages(3 * huge / page_bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(pages.at(0));
  char* const aligned = pages.at(((begin + huge - 1) / huge * huge - begin) / page_bytes);
  ASSERT_EQ(madvise(pages.at(0), pages.bytes(), MADV_HUGEPAGE), 0);
  ASSERT_EQ(bind(pages, MPOL_BIND, {slow}), 0);
  aligned[0] = 1;
  ASSERT_GE(huge_kib(aligned), 2048);
  std::vector<int> status;
  ASSERT_EQ(bind(pages, MPOL_BIND, {fast}), 0);
  EXPECT_EQ(move({aligned}, fast, status), 0);
  EXPECT_EQ(status, std::vector<int>{fast});
  EXPECT_GE(huge_kib(aligned), 2048) << "the huge page was split";
  EXPECT_EQ(pages.nodes()[static_cast<std::size_t>(aligned - pages.at(0)) / page_bytes + 511], fast);
  set("/sys/kernel/mm/transparent_hugepage/enabled", "never");
}

}  // namespace
}  // namespace facts
