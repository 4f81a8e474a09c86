// Do loops cost what their dispatch or their chain of dependent operations takes?
#include <gtest/gtest.h>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

constexpr double elements = 8000;
/// Cycles, Skylake: of an addition of doubles, a multiplication, a division, a load from L1.
constexpr double add = 4, multiply = 4, divide = 14, load = 5;

class Chains : public testing::Test {
 protected:
  void SetUp() override { program = workshop.instrument("program", "-O2", {"chains.c"}); }
  double chain(const std::string& kernel) {
    seen = record_program(program, kernel);
    return static_cast<double>(seen.sums["chain"]);
  }
  double slots() { return static_cast<double>(seen.sums["slots"]); }

  Workshop workshop;
  std::string program;
  Recording seen;
};

TEST_F(Chains, of_a_sum_are_additions_one_after_the_other) {
  EXPECT_NEAR(chain("sum"), elements * add, elements * 0.05);
  EXPECT_EQ(seen.sums["additions"], elements) << "each takes as long as the machine says";
  EXPECT_LT(slots(), 200) << "the loop's slots do not count beside its chain";
}

TEST_F(Chains, are_not_there_where_iterations_are_independent) {
  EXPECT_EQ(chain("scale"), 0);
  EXPECT_GE(slots(), elements * 4 / 2) << "one store a cycle, two elements a store";
  EXPECT_LE(slots(), elements * 4 / 2 * 1.1);
}

TEST_F(Chains, through_two_values_take_two_iterations) {
  EXPECT_NEAR(chain("two_values"), elements * (multiply + add) / 2, elements * 0.1);
}

TEST_F(Chains, of_divisions_and_loads_take_their_latency) {
  EXPECT_NEAR(chain("divisions"), elements * divide, elements * 0.5);
  EXPECT_EQ(seen.sums["additions"], 0);
  EXPECT_GE(seen.sums["units"], 4 * 4 * elements) << "a division every four cycles at most (Skylake)";
  EXPECT_NEAR(chain("chase"), elements * load, elements * 0.1);
}

TEST_F(Chains, are_not_needed_for_additions_to_fill_their_two_pipes) {
  EXPECT_EQ(chain("additions"), 0);
  EXPECT_NEAR(static_cast<double>(seen.sums["units"]), elements * 5 * 2, elements * 0.1) << "quarters of cycles";
}

TEST_F(Chains, are_not_needed_for_shifts_of_vectors_to_fill_their_two_pipes) {
  EXPECT_EQ(chain("shifts"), 0);
  EXPECT_NEAR(static_cast<double>(seen.sums["units"]), elements / 2 * 2 * 2, elements * 0.1) << "quarters of cycles";
}

TEST_F(Chains, overlap_where_short_loops_follow_one_another) {
  double rows = elements / 8;
  double alone = rows * 8 * add;
  double short_rows = chain("sums_of_rows") + slots() / 4;
  EXPECT_LT(short_rows, 0.6 * alone);
  EXPECT_GE(slots() / 4 + chain("sums_of_rows"), rows * 8 * 0.5) << "never less than two loads a cycle";
  EXPECT_NEAR(chain("sum_over_rows"), alone, 0.01 * alone) << "this sum goes on over the rows";
}

}  // namespace
}  // namespace lbhm::test
