// What mbind promises: where pages appear, what happens when a node is full, and which policies there are.
#include <gtest/gtest.h>
#include <linux/mempolicy.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "memory.h"

namespace facts {
namespace {

constexpr int preferred_many = 5;       // MPOL_PREFERRED_MANY, Linux 5.15
constexpr int weighted_interleave = 6;  // MPOL_WEIGHTED_INTERLEAVE, Linux 6.9

long on(const Pages& pages, int node) { return std::ranges::count(pages.nodes(), node); }

TEST(Policies, WithoutOnePagesAreWhereTheyAreTouched) {
  const Pages pages(64);
  pages.touch();
  EXPECT_EQ(on(pages, fast), 64);
}

TEST(Policies, InterleaveAlternates) {
  const Pages pages(64);
  ASSERT_EQ(bind(pages, MPOL_INTERLEAVE, {fast, slow}), 0);
  pages.touch();
  EXPECT_EQ(on(pages, fast), 32);
  EXPECT_EQ(on(pages, slow), 32);
}

TEST(Policies, PreferredManyTakesTheNamedNode) {
  const Pages pages(64);
  ASSERT_EQ(bind(pages, preferred_many, {slow}), 0);
  pages.touch();
  EXPECT_EQ(on(pages, slow), 64);
}

TEST(Policies, WeightedInterleaveIsThereOrRefused) {
  const Pages pages(64);
  const int result = bind(pages, weighted_interleave, {fast, slow});
  EXPECT_TRUE(result == 0 || result == -EINVAL) << result;
  std::printf("weighted interleave: %s\n", result == 0 ? "yes" : "no");
}

TEST(Policies, MoveFlagMovesWhatIsThere) {
  const Pages pages(64);
  pages.touch();
  ASSERT_EQ(bind(pages, MPOL_BIND, {slow}, MPOL_MF_MOVE), 0);
  EXPECT_EQ(on(pages, slow), 64);
  EXPECT_TRUE(pages.intact());
}

TEST(Policies, ANewPolicyMovesNothingByItself) {
  const Pages pages(64);
  pages.touch();
  ASSERT_EQ(bind(pages, MPOL_BIND, {slow}), 0);
  EXPECT_EQ(on(pages, fast), 64);
}

class FullSlowMemory : public testing::Test {
 protected:
  static void SetUpTestSuite() { filler_ = fill_slow_memory(); }
  static void TearDownTestSuite() { filler_.reset(); }

 private:
  static inline std::unique_ptr<Pages> filler_;
};

TEST_F(FullSlowMemory, AsAPreferredNodeItSpillsToTheOther) {
  const Pages pages(32768);
  ASSERT_EQ(bind(pages, MPOL_PREFERRED, {slow}), 0);
  pages.touch();
  std::printf("%ld pages fast, %ld pages slow\n", on(pages, fast), on(pages, slow));
  EXPECT_GT(on(pages, slow), 512);
  EXPECT_GE(on(pages, fast), 4096);
  EXPECT_EQ(on(pages, fast) + on(pages, slow), static_cast<long>(pages.count()));
}

/// The result is -ENOMEM then, and the status of pages that were not tried is not written: ask again where they are.
TEST_F(FullSlowMemory, RefusesPagesThatAreMovedThere) {
  const Pages pages(32768);
  pages.touch();
  std::vector<int> status;
  const long result = move(pages.addresses(), slow, status);
  std::printf("move_pages: %ld; %ld pages fast, %ld slow; status without a value: %ld\n", result, on(pages, fast),
              on(pages, slow), std::ranges::count(status, not_written));
  EXPECT_TRUE(result == -ENOMEM || result > 0);
  EXPECT_GT(on(pages, slow), 512);
  EXPECT_GE(on(pages, fast), 4096);
  EXPECT_TRUE(pages.intact());
}

}  // namespace
}  // namespace facts
