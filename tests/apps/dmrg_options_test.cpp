#include "apps/dmrg/dmrg_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/complaint.h"

namespace dmrg {
namespace {

std::string error_of(const std::vector<std::string_view>& arguments) {
  return apps::complaint_of([&] { parse_options(arguments); });
}

TEST(DmrgOptions, Defaults) {
  const Options options = parse_options({});
  EXPECT_EQ(options.model.kind, Kind::hubbard);
  EXPECT_EQ(options.sweeps.size(), 4U);
  EXPECT_EQ(options.measured_from, 3U);
  EXPECT_GE(options.threads, 1U);
}

TEST(DmrgOptions, AllGiven) {
  const Options options =
      parse_options({"--model", "heisenberg", "--length", "5", "--width", "2", "--interaction", "0.5", "--dims", "7,9",
                     "--iterations", "4", "--measure", "1", "--threads", "12", "--times"});
  EXPECT_EQ(options.model.kind, Kind::heisenberg);
  EXPECT_EQ(options.model.length, 5U);
  EXPECT_EQ(options.model.width, 2U);
  EXPECT_EQ(options.model.interaction, 0.5);
  ASSERT_EQ(options.sweeps.size(), 2U);
  EXPECT_EQ(options.sweeps[1].truncation.max_dimension, 9U);
  EXPECT_EQ(options.sweeps[1].iterations, 4U);
  EXPECT_EQ(options.measured_from, 1U);
  EXPECT_EQ(options.threads, 12U);
  EXPECT_TRUE(options.times);
  EXPECT_EQ(parse_options({"--dims", "7,9"}).measured_from, 2U);
}

TEST(DmrgOptions, ErrorsNameTheOptionAndTheRemedy) {
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of({"--model", "ising"}), AllOf(HasSubstr("--model: 'ising'"), HasSubstr("heisenberg or hubbard")));
  for (const char* list : {"", "7,", ",7", "7,,8", "0", "x", "100001", "7 8", "-1"}) {
    EXPECT_THAT(error_of({"--dims", list}), HasSubstr("--dims: '")) << list;
  }
  for (const char* number : {"", "-1", "nan", "inf", "1e9", "4x"}) {
    EXPECT_THAT(error_of({"--interaction", number}), HasSubstr("--interaction: '")) << number;
  }
  EXPECT_THAT(error_of({"--length", "1000", "--width", "2"}), HasSubstr("more than 1000 sites"));
  EXPECT_THAT(error_of({"--measure", "5"}), HasSubstr("--measure: there are only 4 sweeps"));
  EXPECT_THAT(error_of({"--sweeps", "t", "--dims", "4"}), HasSubstr("--sweeps excludes"));
  EXPECT_THAT(error_of({"--sweeps", "/nonexistent"}), HasSubstr("/nonexistent: the table of sweeps cannot be opened"));
  EXPECT_THAT(error_of({"--dim", "4"}), HasSubstr("unknown option '--dim'"));
}

}  // namespace
}  // namespace dmrg
