// Is a JSON text that would cost stack or memory refused before it costs anything?
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "runtime/base/json.h"

namespace lbhm {
namespace {

using testing::HasSubstr;

std::string complaint(std::string_view text, const JsonLimits& limits = {}) {
  const auto json = parse_json(text, limits);
  return json ? "it was read" : json.error().message();
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(Json, GivesWhatTheTextSays) {
  EXPECT_EQ(parse_json(R"({"a": [1, 2.5, "x"]})").value().at("a").at(1).get<double>(), 2.5);
  EXPECT_EQ(parse_json("0.1").value().get<double>(), 0.1);
}

TEST(Json, DepthIsLimitedAndBracketsOfTextsAreNone) {
  EXPECT_TRUE(parse_json(nested(64)));
  EXPECT_EQ(complaint(nested(65)), "it is nested deeper than 64 levels");
  EXPECT_EQ(complaint(std::string(100'000'000, '[')), "it is nested deeper than 64 levels");
  EXPECT_TRUE(parse_json('"' + std::string(1000, '[') + R"(\"[[")"));
  EXPECT_EQ(complaint(nested(5), {.levels = 4}), "it is nested deeper than 4 levels");
}

TEST(Json, ValuesAreLimited) {
  EXPECT_TRUE(parse_json("[1,2,3]", {.values = 4}));
  EXPECT_EQ(complaint("[1,2,3,4]", {.values = 4}), "it has more than 4 values");
  EXPECT_EQ(complaint("[[],[]]", {.values = 4}), "it has more than 4 values");
}

TEST(Json, SaysWhereTheTextIsWrongInOneLine) {
  EXPECT_EQ(complaint(""), "it is not valid JSON (it is empty)");
  EXPECT_THAT(complaint("{\n\"a\": }"), HasSubstr("not valid JSON, or was cut short (line 2, column 6"));
  EXPECT_THAT(complaint("[1e999]"), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint("\xff"), HasSubstr("not valid JSON"));
  const std::string long_text = complaint('"' + std::string(1'000'000, 'x') + "\n");
  EXPECT_LT(long_text.size(), 300u);
  EXPECT_THAT(long_text, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace lbhm
