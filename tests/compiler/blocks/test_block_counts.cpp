// Are blocks counted as often as they ran, whatever the optimiser made of them?
#include <gtest/gtest.h>

#include "lbhm/block_counts.h"
#include "tests/compiler/blocks/block_counters_view.h"

namespace lbhm::test {

namespace {

/// Of tests/compiler/programs/blocks.cpp: executions of its blocks, times what each loads and stores, is what the
/// source says.
const std::map<std::string, std::uint64_t> bytes_of{
    {"triad", 24 * (1003 + 3)},
    {"sum", 4 * 1001},
    {"conditional", 4 * 777 + 8 * 388},
    {"nested", 2 * 16 * 2000},
    {"triangle", 16 * (30 * 29 / 2)},
    {"find", 4 * 322 + 4 * 500},
    {"collatz", 4 * 111},
    {"fibonacci", 8 * 1973},
    {"machine", 8 + 5 * 4 + 2 * 8},
    {"throws", (16 + 4) * 38 + 4},
    {"is_thrown_through", 32 * 38},
    {"is_jumped_over", 32 * 38},
    {"catches", 8 * 100 + 8},
    {"returns_again", 12 * 5},
    {"jumped_into", 16 * (10 + 11) + 8 * (10 + 10)},
    {"in_threads", 4 * 24 * 501},
};

class BlockCounts : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

/// The emulated machine's plugin, too: what it adds must not lead the counting astray.
INSTANTIATE_TEST_SUITE_P(Levels, BlockCounts,
                         testing::Combine(testing::Values("-O1", "-O2", "-O3", "-O3 -mavx2", "-Os -fPIC", "-O2 -g"),
                                          testing::Values(counting, emulating)));

TEST_P(BlockCounts, times_bytes_are_the_bytes_of_the_source) {
  const auto& [level, plugin] = GetParam();
  const Counters seen = count(plugin, level, {"blocks.cpp"});
  for (const auto& [function, bytes] : bytes_of) {
    // Masked stores count as if all elements were on: how many are is not known when the program is compiled.
    if (function == "conditional" && level.ends_with("avx2"))
      EXPECT_GE(seen.bytes(function), bytes);
    else
      EXPECT_EQ(seen.bytes(function), bytes) << function;
  }
}

TEST_P(BlockCounts, of_input_independent_blocks_are_the_same_in_every_call) {
  const auto& [level, plugin] = GetParam();
  const Counters seen = count(plugin, level, {"blocks.cpp"});
  unsigned checked = 0;
  for (const Counter& each : seen.all) {
    if ((each.flags & LBHM_BLOCK_INPUT_INDEPENDENT) == 0 || each.function.starts_with("is_") ||
        each.function == "throws" || each.function == "returns_again")
      continue;  // these calls do not return
    EXPECT_EQ(each.count, each.per_call * seen.calls(each.function)) << each.function;
    checked += each.depth > 0;
  }
  EXPECT_GT(checked, 0U) << "the constant loops of nested and main";
}

TEST(Blocks, that_depend_on_the_input_are_not_marked) {
  const Counters seen = count(counting, "-O1", {"blocks.cpp"});
  for (const char* function : {"triad", "sum", "conditional", "triangle", "find", "collatz", "machine"}) {
    for (const Counter& each : seen.of(function)) {
      if (each.depth > 0) EXPECT_EQ(each.per_call, 0U) << function;
    }
  }
  for (const Counter& each : seen.of("nested")) EXPECT_NE(each.per_call, 0U);
}

TEST(Blocks, that_run_equally_often_share_a_counter) {
  const Counters seen = count(counting, "-O1", {"blocks.cpp"});
  EXPECT_EQ(seen.of("triad").size(), 2U) << "the function and its loop";
  EXPECT_EQ(seen.of("nested").size(), 3U) << "the function and two loops";
  EXPECT_EQ(seen.of("conditional").size(), 3U) << "the function, its loop, its condition";
}

TEST(Blocks, have_the_lines_of_the_source) {
  const Counters seen = count(counting, "-O1 -g", {"blocks.cpp"});
  for (const Counter& each : seen.of("triad")) {
    EXPECT_GE(each.first, 16U);
    EXPECT_LE(each.last, 19U);
  }
  for (const Counter& each : count(counting, "-O1", {"blocks.cpp"}).all) EXPECT_EQ(each.first, 0U);
}

TEST(Blocks, are_counted_without_optimisation) {
  const Counters seen = count(counting, "-O0", {"blocks.cpp"});
  EXPECT_EQ(seen.calls("fibonacci"), 1973U);
  EXPECT_EQ(seen.calls("may_throw"), 38U + 100U);
}

}  // namespace

}  // namespace lbhm::test
