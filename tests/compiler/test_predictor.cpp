// Are branches mispredicted as often as the predictor's rules say, and is each misprediction in the stream?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

constexpr std::uint64_t elements = 4000;

class Predictor : public testing::TestWithParam<const char*> {
 protected:
  /// Mispredictions of a kernel. Every one of them must have an entry.
  std::uint64_t mispredictions(const std::string& kernel) {
    if (program.empty())
      program = workshop.instrument("program", std::string(GetParam()) + " -fno-unroll-loops", {"predictions.c"});
    seen = record_program(program, kernel);
    std::uint64_t entries = 0;
    for (const auto& [from, count] : seen.branches) entries += count;
    EXPECT_EQ(entries, seen.sums["mispredictions"]) << kernel;
    return seen.sums["mispredictions"];
  }

  Workshop workshop;
  std::string program;
  Recording seen;
};

INSTANTIATE_TEST_SUITE_P(Levels, Predictor, testing::Values("-O1", "-O2"),
                         [](const auto& level) { return std::string(level.param).substr(1); });

TEST_P(Predictor, learns_patterns_that_its_history_holds) {
  for (const char* kernel : {"always", "alternating", "period4"}) EXPECT_LE(mispredictions(kernel), 60U) << kernel;
}

TEST_P(Predictor, fails_half_the_time_on_a_coin_and_names_the_load_that_decides) {
  std::uint64_t wrong = mispredictions("random");
  EXPECT_NEAR(static_cast<double>(wrong), elements / 2, elements * 0.05);
  EXPECT_GE(seen.branches["data"], wrong - 10);
}

TEST_P(Predictor, knows_the_end_of_short_loops_that_run_equally_often) {
  EXPECT_LE(mispredictions("loops_of_10"), 20U);
}

TEST_P(Predictor, fails_at_the_end_of_long_loops_and_of_those_that_change) {
  for (const char* kernel : {"loops_of_100", "loops_that_change"}) {
    EXPECT_NEAR(static_cast<double>(mispredictions(kernel)), elements, 20) << kernel;
  }
}

TEST_P(Predictor, follows_a_search_up_to_its_end) {
  EXPECT_LE(mispredictions("search"), 30U);
  EXPECT_GE(seen.branches["data"], 1U);
}

TEST_P(Predictor, expects_a_switch_to_go_where_it_went) {
  EXPECT_LE(mispredictions("same_way"), 20U);
  EXPECT_GE(mispredictions("other_way"), elements - 20);
  EXPECT_GE(seen.branches["data"], elements - 20) << "the load that decides";
}

}  // namespace
}  // namespace lbhm::test
