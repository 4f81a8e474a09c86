// Does the emulated machine see exactly the lines that a program touches, at every level of optimisation?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

class AtLevel : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Levels, AtLevel, testing::Values("-O0", "-O1", "-O2", "-O3", "-O3 -mavx2", "-O2 -g"),
                         [](const auto& level) {
                           std::string name = level.param;
                           std::erase_if(name, [](char letter) { return !std::isalnum(letter); });
                           return name;
                         });

TEST_P(AtLevel, stream_touches_each_line_of_its_range) {
  if (std::string(GetParam()).ends_with("avx2") && !__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no AVX2 here";
  Recording seen = record(GetParam(), {"stream.c"});
  EXPECT_EQ(seen.blocks["a"].writes, every(0, 113));
  EXPECT_EQ(seen.blocks["b"].reads, every(0, 113));
  EXPECT_EQ(seen.blocks["c"].reads, every(0, 113));
  EXPECT_TRUE(seen.blocks["a"].reads.empty());
  EXPECT_TRUE(seen.blocks["b"].writes.empty());
  // The filter works: one entry a line and site, and little more where loops are peeled.
  EXPECT_LE(seen.blocks["a"].entries, 114 + 4);
  EXPECT_LE(seen.blocks["b"].entries, 114 + 4);
}

TEST_P(AtLevel, patterns_touch_their_lines) {
  Recording seen = record(GetParam(), {"patterns.c"});
  EXPECT_EQ(seen.blocks["strided"].reads, every(0, 120, 3));
  Lines indexed;
  for (std::uint64_t i = 0; i < 50; ++i) indexed.insert(i * 7 % 101);
  EXPECT_EQ(seen.blocks["gathered"].reads, indexed);
  EXPECT_EQ(seen.blocks["scattered"].writes, indexed);
  EXPECT_EQ(seen.blocks["atomic"].writes, every(0, 39));
  EXPECT_EQ(seen.blocks["rows"].writes, every(0, 37));
  EXPECT_EQ(seen.blocks["across"].writes, every(0, 1));
  EXPECT_EQ(seen.blocks["nodes"].reads, every(0, 78, 2)) << "each node has two lines; `next` is in the first";
}

TEST_P(AtLevel, copies_read_their_source_and_write_their_destination) {
  Recording seen = record(GetParam(), {"copies.c"});
  EXPECT_EQ(seen.blocks["from"].reads, every(0, 3));
  EXPECT_EQ(seen.blocks["to"].writes, every(1, 4));
  EXPECT_EQ(seen.blocks["shifted"].reads, every(2, 5));
  EXPECT_EQ(seen.blocks["shifted"].writes, every(0, 3));
  EXPECT_EQ(seen.blocks["cleared"].writes, every(0, 4));
  EXPECT_EQ(seen.blocks["target"].writes, every(0, 0));
  EXPECT_EQ(seen.blocks["source"].reads, every(0, 1));
}

TEST_P(AtLevel, masked_accesses_count_only_where_the_mask_lets_them) {
  Recording seen = record(std::string(GetParam()) + " -Wno-override-module", {"masked.ll", "masked_main.c"});
  EXPECT_EQ(seen.blocks["low_from"].reads, every(0, 0));
  EXPECT_EQ(seen.blocks["low_to"].writes, every(0, 1));
  EXPECT_EQ(seen.blocks["high_from"].reads, every(1, 1));
  EXPECT_TRUE(seen.blocks["none_to"].writes.empty());
  EXPECT_EQ(seen.blocks["gathered"].reads, (Lines{0, 2, 5, 7}));
  EXPECT_EQ(seen.blocks["scattered"].writes, (Lines{0, 2, 5, 7}));
  EXPECT_EQ(seen.blocks["packed_from"].reads, every(0, 0)) << "three elements from element 5 of the line on";
  EXPECT_EQ(seen.blocks["packed_to"].writes, every(0, 0));
}

TEST_P(AtLevel, what_cannot_be_placed_is_left_alone) {
  Recording seen = record(GetParam(), {"skipped.c"});
  EXPECT_EQ(seen.blocks["seen"].writes, every(0, 0));
  for (const char* name : {"unseen", "table", "mine"}) EXPECT_EQ(seen.blocks[name].entries, 0U) << name;
}

TEST(Lines, vectorised_gather_under_a_mask) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) GTEST_SKIP() << "no AVX-512 here";
  Workshop workshop;
  const std::string flags = "-O3 -mavx512f -mavx512vl -mprefer-vector-width=512";
  std::string assembly = workshop.compile("gather.s", "-S " + flags, {"vector_gather.c"});
  ASSERT_EQ(run("grep -q vpgather " + assembly).status, 0)
      << "the loop is no longer vectorised: the test tests nothing";
  Recording seen = record_program(workshop.instrument("program", flags, {"vector_gather.c"}));
  EXPECT_EQ(seen.blocks["from"].reads, every(3, 189, 6));
}

TEST(Lines, threads_of_openmp_are_seen_together) {
  for (const char* level : {"-O0", "-O2"}) {
    Recording seen = record(std::string(level) + " -fopenmp", {"openmp.c"});
    EXPECT_EQ(seen.blocks["a"].writes, every(0, 999)) << level;
    EXPECT_GE(seen.sums["threads"], 4U);
  }
}

}  // namespace
}  // namespace lbhm::test
