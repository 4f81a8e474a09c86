#include "apps/tensor/tensor_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/complaint.h"

namespace tensor {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of(const std::vector<std::string_view>& arguments) {
  return apps::complaint_of([&] { parse_options(arguments); });
}

TEST(TensorOptions, Defaults) {
  const Options options = parse_options({});
  EXPECT_EQ(options.atoms, 5U);
  EXPECT_EQ(options.inputs, 10U);
  EXPECT_GE(options.threads, 1U);
  EXPECT_TRUE(options.files.empty());
  EXPECT_TRUE(options.all_terms);
}

TEST(TensorOptions, AllGiven) {
  const Options options = parse_options({"--atoms", "7", "--inputs", "2", "--threads", "12", "--seed", "9", "--times"});
  EXPECT_EQ(options.atoms, 7U);
  EXPECT_EQ(options.inputs, 2U);
  EXPECT_EQ(options.threads, 12U);
  EXPECT_EQ(options.seed, 9U);
  EXPECT_TRUE(options.times);
}

TEST(TensorOptions, OneTermAlone) { EXPECT_FALSE(parse_options({"--terms", "ladder"}).all_terms); }

TEST(TensorOptions, ModesOfFilesCountFromOne) {
  const Options options = parse_options({"--tns", "a", "b", "3,4:1,2", "--tns", "c", "d", "1:12"});
  ASSERT_EQ(options.files.size(), 2U);
  EXPECT_EQ(options.files[0].x, "a");
  EXPECT_EQ(options.files[0].y, "b");
  EXPECT_THAT(options.files[0].modes.x, ElementsAre(2, 3));
  EXPECT_THAT(options.files[0].modes.y, ElementsAre(0, 1));
  EXPECT_THAT(options.files[1].modes.y, ElementsAre(11));
  EXPECT_EQ(options.inputs, 2U) << "as many as pairs of files";
}

TEST(TensorOptions, ErrorsNameTheOptionAndTheRemedy) {
  EXPECT_THAT(error_of({"--atoms", "1"}), AllOf(HasSubstr("--atoms"), HasSubstr("from 2 to")));
  EXPECT_THAT(error_of({"--terms", "some"}), AllOf(HasSubstr("--terms: 'some'"), HasSubstr("all or ladder")));
  EXPECT_THAT(error_of({"--inputs", "0"}), AllOf(HasSubstr("--inputs"), HasSubstr("from 1 to")));
  EXPECT_THAT(error_of({"--tns", "a", "b"}), AllOf(HasSubstr("--tns"), HasSubstr("a value must follow")));
  EXPECT_THAT(error_of({"--atom", "5"}), AllOf(HasSubstr("'--atom'"), HasSubstr("--help")));
  EXPECT_THAT(error_of({"--atoms", "5", "--tns", "a", "b", "1:1"}), HasSubstr("give one of them"));
  for (const char* modes : {"", "1", ":", "1:", ":1", "1,:1", "1,2:1", "0:1", "1:x", "1;2:1,2", "1,2:1,2,", "-1:1"}) {
    EXPECT_THAT(error_of({"--tns", "a", "b", modes}), HasSubstr("as in 3,4:1,2")) << modes;
  }
}

}  // namespace
}  // namespace tensor
