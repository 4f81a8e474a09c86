// Is a profile read as it was written, and is what does not fit the program named and never applied?
#include "runtime/knowledge/block_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lbhm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string good = R"({"schema": "lbhm.profile/1", "machine": "optane", "modules": [
  {"id": "00000000000000ff", "source": "a.c", "counters": [{"slow_ns": 9.5, "fast_ns": 2}, {"slow_ns": 1, "fast_ns": 1}]}
]})";

BlockModule module(std::uint64_t id, const std::string& source, std::uint32_t first, std::size_t counters) {
  return {.id = id, .source = source, .first = first, .blocks = std::vector<lbhm_block>(counters), .functions = {}};
}

TEST(BlockProfileTest, TimesAreGivenByCounterNumber) {
  const auto profile = parse_profile(good, "p.json");
  ASSERT_TRUE(profile);
  const std::vector<BlockModule> modules{module(7, "other.c", 0, 3), module(0xff, "a.c", 3, 2)};
  const auto facts = block_facts(modules, &*profile);
  ASSERT_EQ(facts.size(), 5U);
  EXPECT_LT(facts[0].slow.value, 0) << "not measured";
  EXPECT_EQ(facts[3].slow.value, 9.5);
  EXPECT_EQ(facts[3].fast.value, 2);
  EXPECT_THAT(stale_modules(modules, *profile), IsEmpty()) << "other.c was never profiled";
}

TEST(BlockProfileTest, ChangedCodeIsNamedAndGetsNoTimes) {
  const auto profile = parse_profile(good, "p.json");
  const std::vector<BlockModule> changed{module(0xfe, "a.c", 0, 2)};
  EXPECT_LT(block_facts(changed, &*profile)[0].slow.value, 0);
  ASSERT_EQ(stale_modules(changed, *profile).size(), 1U);
  EXPECT_THAT(stale_modules(changed, *profile)[0], HasSubstr("p.json: a.c has changed since it was profiled"));
  const std::vector<BlockModule> longer{module(0xff, "a.c", 0, 3)};
  EXPECT_EQ(stale_modules(longer, *profile).size(), 1U) << "a profile of another version with the same id";
}

TEST(BlockProfileTest, WithoutAProfileThePlansCostsRemain) {
  std::vector<BlockModule> modules{module(1, "a.c", 0, 1)};
  modules[0].blocks[0].instructions = 12;
  modules[0].blocks[0].flags = LBHM_BLOCK_INPUT_INDEPENDENT;
  const auto facts = block_facts(modules, nullptr);
  EXPECT_TRUE(facts[0].input_independent);
  EXPECT_EQ(facts[0].instructions, 12);
}

TEST(BlockProfileTest, WhatIsWrongWithAFileIsNamed) {
  const std::pair<const char*, const char*> cases[]{
      {"", "is not valid JSON (it is empty)"},
      {"[1]", "is not a JSON object"},
      {R"({"schema": "lbhm.report/1"})", "schema lbhm.profile/2"},
      {R"({"schema": "lbhm.profile/2", "blocks": null})", "no section \"blocks\""},
      {R"({"schema": "lbhm.profile/2", "blocks": {}})", "no list \"modules\""},
      {R"({"schema": "lbhm.profile/1"})", "no list \"modules\""},
      {R"({"schema": "lbhm.profile/1", "modules": [{"id": "xyz", "counters": []}]})", "number 0) without id"},
      {R"({"schema": "lbhm.profile/1", "modules": [{"id": "1", "counters": [{"slow_ns": -1, "fast_ns": 1}]}]})",
       "without times"},
      {R"({"schema": "lbhm.profile/1", "modules": [3]})", "number 0) without id"}};
  for (const auto& [text, expected] : cases) {
    const auto profile = parse_profile(text, "p.json");
    ASSERT_FALSE(profile) << text;
    EXPECT_EQ(profile.error().code(), StatusCode::malformed);
    EXPECT_THAT(profile.error().message(), HasSubstr(expected));
    EXPECT_THAT(profile.error().message(), HasSubstr("p.json"));
  }
}

}  // namespace
}  // namespace lbhm
