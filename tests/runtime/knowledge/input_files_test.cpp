// Are the files that settings name taken as they are meant, or refused with the reason?
#include "runtime/knowledge/input_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "tests/runtime/patterns/texts.h"

namespace lbhm {
namespace {

const std::string row =
    R"({"dimensions":2,"points":5,"element_bytes":8,"object_bytes":1048576,"accesses_per_element":0.125})";

std::string table(const std::string& rows) {
  return R"({"schema":"lbhm.alpha/1","machine":"optane","fingerprint":"","stencils":[)" + rows + "]}";
}

TEST(AlphaFile, GivesTheTableOfStencils) {
  const auto stencils = parse_stencils(table(row), "optane");
  ASSERT_TRUE(stencils) << stencils.error().message();
  ASSERT_EQ(stencils->rows.size(), 1U);
  EXPECT_EQ(stencils->rows[0].points, 5U);
  EXPECT_EQ(stencils->rows[0].object, MiB(1));
  EXPECT_DOUBLE_EQ(stencils->rows[0].accesses_per_element, 0.125);
}

TEST(AlphaFile, OfAnotherMachineIsRefused) {
  const auto stencils = parse_stencils(table(row), "cxl");
  ASSERT_FALSE(stencils);
  EXPECT_THAT(stencils.error().message(), testing::AllOf(testing::HasSubstr("optane"), testing::HasSubstr("cxl"),
                                                         testing::HasSubstr("lbhm machine alpha")));
}

TEST(AlphaFile, ThatIsMalformedIsRefused) {
  const std::string without_points = std::string(row).replace(row.find("points"), 6, "points_");
  const std::string negative = std::string(row).replace(row.find("0.125"), 5, "-1");
  for (const std::string& content : {std::string(), std::string("[]"), std::string("{}"), table("7"),
                                     table(without_points), table(negative), table(row + ",")}) {
    const auto stencils = parse_stencils(content, "optane");
    ASSERT_FALSE(stencils) << content;
    EXPECT_EQ(stencils.error().code(), StatusCode::malformed) << content;
  }
}

TEST(InputFiles, ThatAreMissingAreNamedWithTheirVariable) {
  PatternCatalog catalog;
  EXPECT_THAT(read_patterns_file("/nowhere/p.json", catalog).message(), testing::HasSubstr("LBHM_PATTERNS=/nowhere"));
  const auto stencils = read_alpha_file("/nowhere/a.json", "optane");
  ASSERT_FALSE(stencils);
  EXPECT_THAT(stencils.error().message(), testing::HasSubstr("LBHM_ALPHA=/nowhere"));
  const auto profile = read_profile("/nowhere/p.json", "optane");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message(),
              testing::AllOf(testing::HasSubstr("LBHM_PROFILE=/nowhere/p.json"), testing::HasSubstr("lbhm profile")));
}

TEST(InputFiles, ThatNobodyNamedAreNotRead) {
  PatternCatalog catalog;
  EXPECT_TRUE(read_patterns_file("", catalog).ok());
  EXPECT_TRUE(read_alpha_file("", "optane"));
  const auto profile = read_profile("", "optane");
  ASSERT_TRUE(profile);
  EXPECT_FALSE(*profile);
}

TEST(PatternsFile, ThatIsMalformedIsNamed) {
  const std::string path = testing::TempDir() + "/lbhm-patterns-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << R"({"schema":"lbhm.patterns/1","modules":[{}]})";
  PatternCatalog catalog;
  const Status status = read_patterns_file(path, catalog);
  EXPECT_EQ(status.code(), StatusCode::malformed);
  EXPECT_THAT(status.message(), testing::HasSubstr(path));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace lbhm
