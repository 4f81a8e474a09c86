// Are selections predicted where the machine code has a branch, and only there?
#include <gtest/gtest.h>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

class Selects : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (run(LBHM_CLANG " -dumpmachine").text.rfind("x86_64", 0) != 0) GTEST_SKIP() << "not x86";
    if (run("command -v llvm-objdump-19").status != 0) GTEST_SKIP() << "no llvm-objdump-19 here";
    const std::string flags = std::string(GetParam()) + " -fno-unroll-loops";
    plain = workshop.compile("plain.o", "-c " + flags, {"selects.c"});
    program = workshop.instrument("program", flags, {"selects.c"});
  }
  bool has_move(const std::string& function) {
    Output code = run("llvm-objdump-19 -d --no-show-raw-insn --disassemble-symbols=" + function + " " + plain);
    EXPECT_NE(code.text.find("ret"), std::string::npos) << "no code of " << function;
    return code.text.find("cmov") != std::string::npos;
  }
  std::uint64_t mispredictions(const std::string& kernel) {
    seen = record_program(program, kernel);
    return seen.sums["mispredictions"];
  }

  Workshop workshop;
  std::string plain, program;
  Recording seen;
};

INSTANTIATE_TEST_SUITE_P(Levels, Selects, testing::Values("-O1", "-O2"),
                         [](const auto& level) { return std::string(level.param).substr(1); });

TEST_P(Selects, whose_conditions_come_late_are_predicted_and_name_the_load_that_decides) {
  ASSERT_FALSE(has_move("late_condition"));
  const double steps = 4000 * 12;
  EXPECT_GE(mispredictions("late_condition"), steps / 4) << "of which half cannot be foreseen";
  EXPECT_GE(seen.branches["data"], steps / 4);
}

TEST_P(Selects, whose_values_come_as_late_stay_moves) {
  ASSERT_TRUE(has_move("late_value"));
  EXPECT_LE(mispredictions("late_value"), 5U);
}

TEST_P(Selects, of_floating_point_numbers_are_branches_but_for_masks) {
  EXPECT_NEAR(static_cast<double>(mispredictions("of_numbers")), 2000, 150);
  EXPECT_LE(mispredictions("by_mask"), 30U);
}

TEST_P(Selects, of_what_they_load_are_branches) {
  ASSERT_FALSE(has_move("of_memory"));
  EXPECT_NEAR(static_cast<double>(mispredictions("of_memory")), 2000, 150);
}

}  // namespace
}  // namespace lbhm::test
