#include "apps/bfs/bfs_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/complaint.h"

namespace bfs {
namespace {

std::string error_of(const std::vector<std::string_view>& arguments) {
  return apps::complaint_of([&] { parse_options(arguments); });
}

TEST(BfsOptions, DefaultsAreABaseGraphAndOthers) {
  const Options options = parse_options({});
  EXPECT_EQ(options.inputs.size(), 3U);
  EXPECT_NE(options.inputs[0].kind, options.inputs[1].kind);
  EXPECT_LT(options.inputs[0].scale, options.inputs[2].scale);
  EXPECT_EQ(options.sources, 4U);
  EXPECT_GE(options.threads, 1U);
}

TEST(BfsOptions, GraphsComeInTheOrderInWhichTheyAreGiven) {
  const Options options = parse_options({"--uniform", "7", "--graph", "a", "--kron", "8", "--crawl", "9", "--sources",
                                         "2", "--threads", "12", "--seed", "5", "--times"});
  ASSERT_EQ(options.inputs.size(), 4U);
  EXPECT_EQ(options.inputs[0].kind, Kind::uniform);
  EXPECT_EQ(options.inputs[1].path, "a");
  EXPECT_EQ(options.inputs[2].kind, Kind::kronecker);
  EXPECT_EQ(options.inputs[2].scale, 8U);
  EXPECT_EQ(options.inputs[3].kind, Kind::crawled);
  EXPECT_EQ(options.sources, 2U);
  EXPECT_EQ(options.threads, 12U);
  EXPECT_EQ(options.seed, 5U);
  EXPECT_TRUE(options.times);
}

TEST(BfsOptions, ErrorsNameTheOptionAndTheRemedy) {
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of({"--uniform", "27"}), AllOf(HasSubstr("--uniform"), HasSubstr("from 1 to 26")));
  EXPECT_THAT(error_of({"--sources", "0"}), AllOf(HasSubstr("--sources"), HasSubstr("from 1 to 1000")));
  EXPECT_THAT(error_of({"--graph"}), HasSubstr("a value must follow"));
  EXPECT_THAT(error_of({"--source", "5"}), AllOf(HasSubstr("'--source'"), HasSubstr("--help")));
}

}  // namespace
}  // namespace bfs
