// What move_pages does, page by page, to memory of every kind that a program may have.
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <thread>

#include "memory.h"

namespace facts {
namespace {

/// Touched pages of this node.
void fill(const Pages& pages, int node) {
  ASSERT_EQ(bind(pages, MPOL_PREFERRED, {node}), 0);
  pages.touch();
  ASSERT_EQ(pages.nodes(), std::vector<int>(pages.count(), node));
}

TEST(MovePages, ThousandsGoBothWaysInOneCall) {
  const Pages pages(8192);
  fill(pages, slow);
  std::vector<int> status;
  for (const int node : {fast, slow}) {
    EXPECT_EQ(move(pages.addresses(), node, status), 0);
    EXPECT_EQ(status, std::vector<int>(pages.count(), node));
    EXPECT_EQ(pages.nodes(), status);
    EXPECT_TRUE(pages.intact());
  }
}

TEST(MovePages, APageThatIsThereAlreadyStays) {
  const Pages pages(16);
  fill(pages, fast);
  std::vector<int> status;
  EXPECT_EQ(move(pages.addresses(), fast, status), 0);
  EXPECT_EQ(status, std::vector<int>(16, fast));
}

TEST(MovePages, APageThatNobodyTouchedIsNotThere) {
  const Pages pages(3);
  pages.at(1)[0] = 1;
  const std::vector<int> asked = pages.nodes();
  std::vector<int> status;
  move(pages.addresses(), slow, status);
  std::printf("untouched page: query %d, move %d\n", asked[0], status[0]);
  EXPECT_EQ(asked[1], fast);
  EXPECT_EQ(status[1], slow);
  for (const int refused : {asked[0], asked[2], status[0], status[2]}) {
    EXPECT_TRUE(refused == -EFAULT || refused == -ENOENT) << refused;
  }
}

TEST(MovePages, APageThatWasOnlyReadIsTheZeroPageAndIsNotMoved) {
  const Pages pages(1);
  volatile const char* const byte = pages.at(0);
  EXPECT_EQ(*byte, 0);
  std::vector<int> status;
  move(pages.addresses(), slow, status);
  EXPECT_LT(status[0], 0);
}

TEST(MovePages, NoMappingIsEFAULT) {
  const Pages pages(2);
  pages.touch();
  munmap(pages.at(1), page_bytes);
  std::vector<int> status;
  move(pages.addresses(), slow, status);
  EXPECT_EQ(status[0], slow);
  EXPECT_EQ(status[1], -EFAULT);
}

TEST(MovePages, ANodeThatDoesNotExistIsENODEV) {
  const Pages pages(1);
  pages.touch();
  std::vector<int> status;
  EXPECT_EQ(move(pages.addresses(), 7, status), -ENODEV);
}

TEST(MovePages, LockedPagesMove) {
  const Pages pages(64);
  fill(pages, slow);
  ASSERT_EQ(mlock(pages.at(0), pages.bytes()), 0);
  std::vector<int> status;
  EXPECT_EQ(move(pages.addresses(), fast, status), 0);
  EXPECT_EQ(status, std::vector<int>(64, fast));
  EXPECT_TRUE(pages.intact());
}

/// Kernel 6.1 passes over pages that nobody may access, so hint faults have to be disarmed before; 6.12 moves them.
TEST(MovePages, PagesWithoutAccess) {
  const Pages pages(8);
  fill(pages, slow);
  ASSERT_EQ(mprotect(pages.at(0), pages.bytes(), PROT_NONE), 0);
  std::vector<int> status;
  move(pages.addresses(), fast, status);
  utsname kernel{};
  uname(&kernel);
  int major = 0, minor = 0;
  ASSERT_EQ(std::sscanf(kernel.release, "%d.%d", &major, &minor), 2);
  std::printf("kernel %d.%d: status %d\n", major, minor, status[0]);
  if (std::pair(major, minor) <= std::pair(6, 1)) EXPECT_EQ(status, std::vector<int>(8, -ENOENT));
  if (std::pair(major, minor) >= std::pair(6, 12)) EXPECT_EQ(status, std::vector<int>(8, fast));
  ASSERT_EQ(mprotect(pages.at(0), pages.bytes(), PROT_READ | PROT_WRITE), 0);
  move(pages.addresses(), fast, status);
  EXPECT_EQ(status, std::vector<int>(8, fast));
  EXPECT_TRUE(pages.intact());
}

/// Pages that two processes share need MPOL_MF_MOVE_ALL, and with it root (CAP_SYS_NICE).
TEST(MovePages, PagesOfAForkedChildAreEACCES) {
  const Pages pages(8);
  fill(pages, slow);
  OtherOwner other(pages);
  std::vector<int> status;
  EXPECT_EQ(move(pages.addresses(), fast, status, MPOL_MF_MOVE), 0);
  EXPECT_EQ(status, std::vector<int>(8, -EACCES));
  EXPECT_EQ(pages.nodes(), std::vector<int>(8, slow));
  EXPECT_EQ(move(pages.addresses(), fast, status, MPOL_MF_MOVE_ALL), 0);
  EXPECT_EQ(status, std::vector<int>(8, fast));
  EXPECT_TRUE(other.finish());
}

/// The kernel unmaps a page while it copies it: writers wait, and no write goes to the old copy.
TEST(MovePages, NoWriteIsLostMeanwhile) {
  constexpr std::uint64_t rounds = 4'000'000;
  const Pages pages(64);
  fill(pages, slow);
  std::atomic<bool> done = false;
  std::uint64_t moved = 0;
  std::thread mover([&] {
    std::vector<int> status;
    for (int node = fast; !done; node = 1 - node) {
      move(pages.addresses(), node, status);
      for (const int at : status) moved += at == node;
    }
  });
  auto counter = [&](std::uint64_t i) -> volatile std::uint64_t& {
    return *reinterpret_cast<volatile std::uint64_t*>(pages.at(i % 64) + 64);
  };
  for (std::uint64_t i = 0; i < rounds; ++i) counter(i) = counter(i) + 1;
  done = true;
  mover.join();
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 64; ++i) sum += counter(i);
  std::printf("%llu pages moved during %llu writes\n", static_cast<unsigned long long>(moved),
              static_cast<unsigned long long>(rounds));
  EXPECT_EQ(sum, rounds);
  EXPECT_GT(moved, 64U);
}

}  // namespace
}  // namespace facts
