// Are the patterns of an object weighted by how often they were executed?
#include <gtest/gtest.h>

#include "lbhm/compiled_patterns.h"
#include "runtime/patterns/patterns.h"
#include "tests/runtime/patterns/texts.h"

namespace lbhm {
namespace {

constexpr std::uint64_t a = 0xabcULL << LBHM_BASE_BITS, x = a + 1;

class Merge : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(catalog.add(module_text("abc", spmv_nest)).ok()); }
  PatternCatalog catalog;
};

TEST_F(Merge, KeepsReadsAndWritesApart) {
  const std::vector<NotedBase> notes{{a, ObjectSlot(0), 1}};
  const auto merged = merge_patterns(catalog, notes, 2);
  ASSERT_EQ(merged.size(), 2U);
  ASSERT_EQ(merged[0].size(), 2U);
  EXPECT_NE(merged[0][0].write, merged[0][1].write);
  EXPECT_DOUBLE_EQ(merged[0][0].weight, 0.5);
  EXPECT_TRUE(merged[1].empty()) << "nobody noted an access to it";
}

TEST_F(Merge, WeighsLoopsByHowOftenTheyBegan) {
  // The same object is A in one call and x in three others: 20 accesses stream, 30 gather.
  const std::vector<NotedBase> notes{{a, ObjectSlot(0), 1}, {x, ObjectSlot(0), 3}};
  const auto merged = merge_patterns(catalog, notes, 1);
  ASSERT_EQ(merged[0].size(), 3U);
  EXPECT_EQ(merged[0][0].kind, PatternKind::gather) << "the most frequent one first";
  EXPECT_DOUBLE_EQ(merged[0][0].weight, 0.6);
  EXPECT_EQ(describe_patterns(merged[0]), "gather+stream");
}

TEST(Describe, KindsOfOneWeightHaveOneOrderHoweverTheyWereSummed) {
  const AccessPattern third{.kind = PatternKind::gather, .weight = 0.1},
      rest{.kind = PatternKind::gather, .weight = 0.4};
  const AccessPattern half{.kind = PatternKind::stream, .weight = 0.5};
  const AccessPattern noise{.kind = PatternKind::gather, .weight = 1e-15};
  EXPECT_EQ(describe_patterns({third, rest, noise, half}), "stream+gather");
  EXPECT_EQ(describe_patterns({half, noise, rest, third}), "stream+gather");
}

TEST_F(Merge, PassesOverBasesThatNobodyKnows) {
  const std::vector<NotedBase> notes{{a + 77, ObjectSlot(0), 1}, {a, ObjectSlot(9), 1}};
  const auto merged = merge_patterns(catalog, notes, 1);
  EXPECT_TRUE(merged[0].empty());
  EXPECT_EQ(describe_patterns(merged[0]), "unknown");
}

}  // namespace
}  // namespace lbhm
