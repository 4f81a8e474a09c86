// Is a placement file read as it was meant, and refused with a sentence that helps?
#include "runtime/placement/placement_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lbhm {
namespace {

using testing::HasSubstr;

constexpr Bytes page(4096);

const std::string two_objects =
    R"([{"site": "00000000000000a1", "nth": 0, "pages": 4}, {"site": "00000000000000a1", "nth": 1, "pages": 2}])";

/// A file with these parts.
std::string file(const std::string& births, const std::string& moves = "[]", const std::string& objects = two_objects,
                 const std::string& unmanaged = "1") {
  return R"({"schema": "lbhm.placement/2", "page_bytes": 4096, "unmanaged_tier": )" + unmanaged + R"(, "objects": )" +
         objects + R"(, "births": )" + births + R"(, "moves": )" + moves + "}";
}

std::string complaint(const std::string& content) {
  const auto script = parse_placement(content, 2, page);
  EXPECT_FALSE(script.has_value()) << content;
  if (script) return "";
  EXPECT_EQ(script.error().code(), StatusCode::malformed);
  return script.error().message();
}

TEST(PlacementFile, RunsAndMovesAreRead) {
  const auto script =
      parse_placement(file("[[1, 0, 2, 0], [0, 1, 3, 0]]", R"([{"call": 5, "runs": [[0, 1, 1, 1]]}])"), 2, page);
  ASSERT_TRUE(script.has_value()) << script.error().message();
  EXPECT_EQ(script->unmanaged, TierId(1));
  EXPECT_EQ(script->objects.at(1).bytes, page * 2);
  EXPECT_EQ(script->objects.at(1).site, SiteId{0xa1});
  EXPECT_EQ(script->objects.at(1).nth, 1u);
  ASSERT_EQ(script->births.size(), 2u);
  EXPECT_EQ(script->births[0].object, 0u);  // by object, whatever the file's order
  EXPECT_EQ(script->births[0].first, 1u);
  EXPECT_EQ(script->births[0].pages, 3u);
  EXPECT_EQ(script->births[0].tier, TierId(0));
  ASSERT_EQ(script->moves.at(5).size(), 1u);
  EXPECT_EQ(script->moves.at(5)[0].tier, TierId(1));
}

TEST(PlacementFile, MovesAtBarriersAreReadApart) {
  const auto script = parse_placement(
      file("[]", R"([{"call": 5, "runs": []}, {"call": 5, "region": 7, "barrier": 2, "runs": [[0, 1, 1, 0]]}])"), 2,
      page);
  ASSERT_TRUE(script.has_value()) << script.error().message();
  EXPECT_EQ(script->moves.size(), 1u);
  EXPECT_EQ(script->inner_moves.at({5, {7, 2}}).size(), 1u);
}

TEST(PlacementFile, WholeObjectsAndNamesOfPhasesAreRead) {
  std::string content = file("[]", R"([{"call": 5, "phase": "solve", "runs": []}])");
  content.insert(1, R"("whole": true, )");
  const auto script = parse_placement(content, 2, page);
  ASSERT_TRUE(script.has_value()) << script.error().message();
  EXPECT_TRUE(script->whole);
  EXPECT_EQ(script->phases.at(5), "solve");
  EXPECT_FALSE(parse_placement(file("[]"), 2, page)->whole);
  content.replace(content.find("true"), 4, "\"no\"");
  EXPECT_THAT(complaint(content), HasSubstr("'whole' is neither true nor false"));
  EXPECT_THAT(complaint(file("[]", R"([{"call": 5, "phase": 3, "runs": []}])")), HasSubstr("a 'phase' of 'moves'"));
}

TEST(PlacementFile, WhatIsWrongIsNamed) {
  EXPECT_THAT(complaint("{"), HasSubstr("not valid JSON, or was cut short (line 1, column 2"));
  EXPECT_THAT(complaint("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(complaint(R"({"schema": "lbhm.report/1"})"), HasSubstr("'schema' is not lbhm.placement/2"));
  EXPECT_THAT(complaint(R"({"schema": "lbhm.placement/2", "page_bytes": 64})"), HasSubstr("'page_bytes'"));
  EXPECT_THAT(complaint(file("[]", "[]", two_objects, "2")), HasSubstr("'unmanaged_tier'"));
  EXPECT_THAT(complaint(R"({"schema": "lbhm.placement/2", "page_bytes": 4096, "tiers": ["a", "b", "c"]})"),
              HasSubstr("it is for a machine with 3 memories, and this one has 2"));
  for (const char* objects :
       {"[4]", R"([{"site": "a1", "nth": 0, "pages": 4}])", R"([{"site": 7, "nth": 0, "pages": 4}])",
        R"([{"site": "00000000000000a1", "nth": 0, "pages": 0}])"})
    EXPECT_THAT(complaint(file("[]", "[]", objects)), HasSubstr("'objects'")) << objects;
  EXPECT_THAT(complaint(file("7")), HasSubstr("no list"));
  EXPECT_THAT(complaint(file("[[0, 1, 2]]")), HasSubstr("not [object, first page, pages, tier]"));
  EXPECT_THAT(complaint(file("[[0, -1, 2, 0]]")), HasSubstr("whole numbers"));
  EXPECT_THAT(complaint(file("[[2, 0, 1, 0]]")), HasSubstr("object 2, which is not in 'objects'"));
  EXPECT_THAT(complaint(file("[[1, 1, 2, 0]]")), HasSubstr("goes beyond its end"));
  EXPECT_THAT(complaint(file("[[1, 0, 1, 2]]")), HasSubstr("names tier 2; the machine has 2"));
  EXPECT_THAT(complaint(file("[]", R"([{"runs": []}])")), HasSubstr("no 'call'"));
  EXPECT_THAT(complaint(file("[]", R"([{"call": 1, "runs": []}, {"call": 1, "runs": []}])")), HasSubstr("twice"));
  for (const char* at : {R"("region": 1)", R"("barrier": 1)", R"("region": 1, "barrier": 0)"})
    EXPECT_THAT(complaint(file("[]", std::string(R"([{"call": 1, )") + at + R"(, "runs": []}])")),
                HasSubstr("'region', a whole number, and 'barrier', above 0"))
        << at;
}

TEST(PlacementFile, ThePolicyNeedsAFileThatIsThere) {
  const auto none = read_placement("", 2, page);
  ASSERT_FALSE(none.has_value());
  EXPECT_THAT(none.error().message(), HasSubstr("LBHM_PLACEMENT: this policy needs a file"));
  const auto missing = read_placement("/no/such/file", 2, page);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code(), StatusCode::not_found);
  EXPECT_THAT(missing.error().message(), HasSubstr("LBHM_PLACEMENT=/no/such/file"));
}

}  // namespace
}  // namespace lbhm
