#include "apps/tensor/coo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/apps/complaint.h"

namespace tensor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Entries read(const std::string& text) {
  std::istringstream stream(text);
  return read_tns(stream, "x.tns");
}

TEST(Tns, ReadsCoordinatesFromOneAndValues) {
  const Entries x = read("# a comment\n\n1 2 3 2.5\n# another one\n4 1 1 -1e-3\n");
  EXPECT_THAT(x.shape, ElementsAre(4, 2, 3));
  EXPECT_THAT(x.coordinates, ElementsAre(0, 1, 2, 3, 0, 0));
  EXPECT_THAT(x.values, ElementsAre(2.5, -1e-3));
}

TEST(Tns, SortsAndAddsUpDuplicates) {
  const Entries x = read("2 1 1\n1 2 10\n2 1 5\n1 1 7\n");
  EXPECT_THAT(x.coordinates, ElementsAre(0, 0, 0, 1, 1, 0));
  EXPECT_THAT(x.values, ElementsAre(7.0, 10.0, 6.0));
}

TEST(Tns, TakesBlanksCarriageReturnsAndAMissingLastNewline) {
  const Entries x = read("  3\t+4   +0.5\r\n1 1 2");
  EXPECT_THAT(x.shape, ElementsAre(3, 4));
  EXPECT_THAT(x.values, ElementsAre(2.0, 0.5));
}

TEST(Tns, TakesEveryOrderFromOneToEight) {
  EXPECT_EQ(read("5 1.0\n").order(), 1U);
  EXPECT_EQ(read("1 2 3 4 5 6 7 8 1.0\n").order(), 8U);
}

class MalformedTns : public ::testing::TestWithParam<apps::BadText> {};

TEST_P(MalformedTns, IsRefusedWithASentenceThatNamesTheLine) {
  apps::expect_refused(apps::complaint_of([] { read(GetParam().text); }), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, MalformedTns,
                         ::testing::Values(apps::BadText{"", "x.tns:0", "no non-zero"},
                                           apps::BadText{"# nothing\n\n", "x.tns:2", "no non-zero"},
                                           apps::BadText{"1 1 1\n7\n", "x.tns:2", "2 coordinates and a value"},
                                           apps::BadText{"7\n", "x.tns:1", "1 to 8 coordinates"},
                                           apps::BadText{"1 1 1 1 1 1 1 1 1 2.0\n", "x.tns:1", "found 10 words"},
                                           apps::BadText{"1 1 2.0\n1 1 1 2.0\n", "x.tns:2", "found 4"},
                                           apps::BadText{"1 1 1 2.0\n# c\n1 1 2.0\n", "x.tns:3", "3 coordinates"},
                                           apps::BadText{"0 1 2.0\n", "x.tns:1", "the coordinate '0'"},
                                           apps::BadText{"1 -1 2.0\n", "x.tns:1", "the coordinate '-1'"},
                                           apps::BadText{"1 2147483648 2.0\n", "x.tns:1", "between 1 and 2147483647"},
                                           apps::BadText{"1 99999999999999999999999 2.0\n", "x.tns:1", "out of range"},
                                           apps::BadText{"1.5 1 2.0\n", "x.tns:1", "'1.5'"},
                                           apps::BadText{"1 1 2.0z\n", "x.tns:1", "'2.0z'"},
                                           apps::BadText{"1 1 inf\n", "x.tns:1", "not finite"},
                                           apps::BadText{"1 1 1e999\n", "x.tns:1", "out of range"},
                                           apps::BadText{std::string("1 1 2\n\x01\xff\0 1 1\n", 13), "x.tns:2",
                                                         "the coordinate '"}));

TEST(Tns, NamesAFileThatCannotBeOpened) {
  EXPECT_THAT(apps::complaint_of([] { read_tns_file("/nowhere/x.tns"); }), HasSubstr("/nowhere/x.tns"));
}

}  // namespace
}  // namespace tensor
