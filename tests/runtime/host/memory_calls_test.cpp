// Do the kernel's memory calls do here what their wrappers say?
#include "runtime/host/memory_calls.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace lbhm::host {
namespace {

/// A kernel or a sandbox may refuse these calls altogether: nothing to test then.
bool refused(long result) { return result == -ENOSYS || result == -EPERM; }

struct TwoPages {
  std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory);
  ~TwoPages() { munmap(memory, 2 * page); }
};

TEST(NodeMask, HoldsTheNodesThatItWasGivenAndNoOthers) {
  const int nodes[] = {0, 63, 64, 1023, 1024, -1};
  const NodeMask mask(nodes);
  for (const int node : {0, 63, 64, 1023}) EXPECT_TRUE(mask.has(node)) << node;
  for (const int node : {-1, 1, 62, 65, 1022, 1024}) EXPECT_FALSE(mask.has(node)) << node;
}

TEST(MemoryCalls, ARunOfPagesEndsAtAGapAndWhereTheyTurnBack) {
  const std::uintptr_t pages[] = {0x1000, 0x2000, 0x3000, 0x5000, 0x4000};
  EXPECT_EQ(run_length(pages, 0x1000), 3u);
  EXPECT_EQ(run_length(std::span(pages).first(2), 0x1000), 2u);
  EXPECT_EQ(run_length(std::span(pages).subspan(3), 0x1000), 1u);
}

TEST(MemoryCalls, MemoryIsBoundToAnAllowedNode) {
  NodeMask allowed;
  const long got = allowed_nodes(allowed);
  if (refused(got)) GTEST_SKIP() << "get_mempolicy: " << got;
  ASSERT_EQ(got, 0);
  int node = 0;
  while (node < 1024 && !allowed.has(node)) ++node;
  ASSERT_LT(node, 1024);

  const TwoPages pages;
  const NodeMask one(std::span<const int>(&node, 1));
  ASSERT_EQ(bind_memory(pages.address, 2 * pages.page, MPOL_BIND, &one), 0);
  int policy = -1;
  NodeMask nodes;
  ASSERT_EQ(policy_at(pages.address, policy, nodes), 0);
  EXPECT_EQ(policy, MPOL_BIND);
  EXPECT_TRUE(nodes.has(node));
}

TEST(MemoryCalls, TouchedPagesAreSomewhereAndOthersNowhere) {
  const TwoPages pages;
  static_cast<volatile char*>(pages.memory)[0] = 1;
  void* const asked[] = {pages.memory, static_cast<char*>(pages.memory) + pages.page};
  int status[] = {-1000, -1000};
  const long got = move_pages(2, asked, nullptr, status);
  if (refused(got)) GTEST_SKIP() << "move_pages: " << got;
  ASSERT_EQ(got, 0);
  EXPECT_GE(status[0], 0);
  EXPECT_TRUE(status[1] == -ENOENT || status[1] == -EFAULT) << status[1];
}

TEST(MemoryCalls, ErrorsAreReturnedAndErrnoIsLeftAlone) {
  errno = 77;
  const int no_such[] = {1023};
  const NodeMask mask(no_such);
  const TwoPages pages;
  EXPECT_LT(bind_memory(pages.address, pages.page, MPOL_BIND, &mask), 0);
  EXPECT_EQ(errno, 77);
}

}  // namespace
}  // namespace lbhm::host
