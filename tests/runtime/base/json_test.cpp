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

/// What `read` refuses of the text; "" if nothing.
template <class Read>
std::string refusal(std::string_view text, Read read) {
  const JsonFile file{.name = "f.json: ", .remedy = "; write it again"};
  const Status status = visit_json(text, file, read);
  if (!status.ok()) EXPECT_EQ(status.code(), StatusCode::malformed);
  return status.ok() ? "" : status.message();
}

TEST(JsonReader, GivesValuesOfTheirTypes) {
  const JsonFile file;
  const auto sum =
      read_json(R"({"a": [1, 2.5], "b": {"c": "x"}, "d": null, "e": [true, 4]})", file, [](const JsonAt& top) {
        top.allow_only({"a", "b", "d", "e"}, "test/1");
        EXPECT_EQ(top["b"]["c"].text(), "x");
        top["b"]["c"].must_be("x");
        EXPECT_EQ(top["e"].numbers(2), (std::vector<double>{1, 4}));
        EXPECT_TRUE(top.has("d"));
        EXPECT_FALSE(top.find("d") || top.find("f")) << "null is as good as missing";
        EXPECT_EQ(top.find("a")->list(0, 2).size(), 2u);
        const auto list = top["a"].list(1, 2);
        return static_cast<double>(list[0].whole(0, 1)) + list[1].number(0, 3);
      });
  ASSERT_TRUE(sum) << sum.error().message();
  EXPECT_EQ(*sum, 3.5);
}

TEST(JsonReader, RefusesByFilePlaceAndRemedy) {
  const std::string text = R"({"a": [1, -2.5, "x", {"b": 9007199254740993}], "n": ""})";
  const auto at = [&](auto read) { return refusal(text, read); };
  EXPECT_EQ(at([](const JsonAt& top) { (void)top["c"]; }), "f.json: c is missing; write it again");
  EXPECT_EQ(at([](const JsonAt& top) { (void)top["a"]["b"]; }), "f.json: a must be an object; write it again");
  EXPECT_EQ(at([](const JsonAt& top) { top.allow_only({"n"}, "test/1"); }),
            "f.json: a is not a key of test/1; remove it or correct its name; write it again");
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].list(0, 3); }),
              HasSubstr("a must be a list of 0 to 3 entries"));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].list(0, 4)[1].number(0, 3); }),
              HasSubstr("a[1] is -2.5; it must be from 0 to 3"));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].list(0, 4)[1].number(JsonAt::any_positive, 3); }),
              HasSubstr("a[1] is -2.5; it must be above 0, and 3 at most"));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].list(0, 4)[2].whole(0, 3); }),
              HasSubstr("a[2] must be a number"));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].list(0, 4)[3]["b"].text(); }),
              HasSubstr("a[3].b must be a text"));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["n"].filled_text(); }), HasSubstr("n must be a text that is not"));
  EXPECT_THAT(at([](const JsonAt& top) { top["n"].must_be("y"); }), HasSubstr("n must be \"y\", not \"\""));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].numbers(2); }), HasSubstr("a is no list of 2 numbers"));
  EXPECT_THAT(at([](const JsonAt& top) { (void)top["a"].numbers(4); }), HasSubstr("a has an entry that is no number"));
  EXPECT_THAT(refusal("[2.5]", [](const JsonAt& top) { (void)top.list(1, 1)[0].whole(0, 9); }),
              HasSubstr("f.json: [0] must be a whole number"));
  EXPECT_EQ(refusal("3", [](const JsonAt& top) { (void)top["a"]; }), "f.json: a is missing; write it again");
  EXPECT_EQ(refusal("3", [](const JsonAt& top) { top.allow_only({}, "test/1"); }),
            "f.json: the top level must be an object; write it again");
  EXPECT_THAT(refusal("{", [](const JsonAt&) {}), testing::StartsWith("f.json: it is not valid JSON"));
}

}  // namespace
}  // namespace lbhm
