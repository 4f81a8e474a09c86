#include "apps/spgemm/spgemm_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/complaint.h"

namespace spgemm {
namespace {

std::string error_of(const std::vector<std::string_view>& arguments) {
  return apps::complaint_of([&] { parse_options(arguments); });
}

TEST(Options, Defaults) {
  const Options options = parse_options({});
  EXPECT_EQ(options.scale, 13U);
  EXPECT_EQ(options.inputs, 32U);
  EXPECT_GE(options.threads, 1U);
  EXPECT_TRUE(options.matrices.empty());
  EXPECT_FALSE(options.times);
}

TEST(Options, AllGiven) {
  const Options options = parse_options({"--kron", "7", "--inputs", "2", "--threads", "12", "--seed", "9", "--times"});
  EXPECT_EQ(options.scale, 7U);
  EXPECT_EQ(options.inputs, 2U);
  EXPECT_EQ(options.threads, 12U);
  EXPECT_EQ(options.seed, 9U);
  EXPECT_TRUE(options.times);
}

TEST(Options, SeveralFilesAreSoManyInputsUnlessSaidOtherwise) {
  EXPECT_EQ(parse_options({"--matrix", "a"}).inputs, 32U);
  EXPECT_EQ(parse_options({"--matrix", "a", "--matrix", "b"}).inputs, 2U);
  EXPECT_EQ(parse_options({"--inputs", "7", "--matrix", "a", "--matrix", "b"}).inputs, 7U);
}

TEST(Options, ErrorsNameTheOptionAndTheRemedy) {
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of({"--kron", "27"}), AllOf(HasSubstr("--kron"), HasSubstr("'27'"), HasSubstr("from 1 to 26")));
  EXPECT_THAT(error_of({"--inputs", "0"}), AllOf(HasSubstr("--inputs"), HasSubstr("from 1 to")));
  EXPECT_THAT(error_of({"--threads", "2x"}), AllOf(HasSubstr("--threads"), HasSubstr("'2x'")));
  EXPECT_THAT(error_of({"--seed", ""}), HasSubstr("--seed"));
  EXPECT_THAT(error_of({"--seed"}), HasSubstr("a value must follow"));
  EXPECT_THAT(error_of({"--krom", "5"}), AllOf(HasSubstr("'--krom'"), HasSubstr("--help")));
  EXPECT_THAT(error_of({"--kron", "5", "--matrix", "a"}), HasSubstr("give one of them"));
}

}  // namespace
}  // namespace spgemm
