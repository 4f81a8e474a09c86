// Is every value of the environment either understood or refused by name?
#include "runtime/base/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace lbhm {
namespace {

using testing::HasSubstr;

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const Setting& s : settings_table()) unsetenv(std::string(s.environment).c_str());
  }
};

TEST_F(SettingsTest, DefaultsAreThoseOfTheTable) {
  const auto settings = read_settings();
  ASSERT_TRUE(settings);
  EXPECT_EQ(*settings, Settings());
  std::size_t values = 0;
  for (const Setting& s : settings_table()) {
    // "the machine's", "none" and such are words for what happens, not values; paths would be read as paths.
    if (s.unit == "path" || s.default_value.find_first_of(" '") != std::string_view::npos || s.default_value == "none")
      continue;
    setenv(std::string(s.environment).c_str(), std::string(s.default_value).c_str(), 1);
    ++values;
  }
  const auto same = read_settings();
  ASSERT_TRUE(same) << same.error().message();
  EXPECT_EQ(*same, Settings());
  EXPECT_GT(values, 15u);
}

TEST_F(SettingsTest, EverySettingHasItsOwnVariableAndASentence) {
  std::set<std::string_view> names, variables;
  for (const Setting& s : settings_table()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    EXPECT_TRUE(variables.insert(s.environment).second) << s.environment;
    EXPECT_TRUE(s.environment.starts_with("LBHM_"));
    EXPECT_TRUE(s.sentence.ends_with("."));
  }
}

TEST_F(SettingsTest, ReadsEveryVariable) {
  setenv("LBHM_MACHINE", "optane", 1);
  setenv("LBHM_POLICY", "first-touch", 1);
  setenv("LBHM_FAST_CAPACITY", "1.5M", 1);
  setenv("LBHM_SAMPLE_PERIOD", "127", 1);
  setenv("LBHM_SEED", "7", 1);
  setenv("LBHM_REPORT", "r.json", 1);
  setenv("LBHM_PRESETS", "there", 1);
  setenv("LBHM_MANAGED_MINIMUM", "64K", 1);
  setenv("LBHM_MEMORY_MODE", "on", 1);
  setenv("LBHM_FAST_SHARE", "0.125", 1);
  setenv("LBHM_PACE", "0.25", 1);
  setenv("LBHM_REGION_EXECUTIONS", "0", 1);
  setenv("LBHM_MODEL", "mine.json", 1);
  setenv("LBHM_BASE_PROFILE", "bits", 1);
  setenv("LBHM_CLOCK_BEGIN", "1000000000", 1);
  const auto settings = read_settings();
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->memory_mode);
  EXPECT_EQ(settings->fast_share, 0.125);
  EXPECT_EQ(settings->pace, 0.25);
  EXPECT_EQ(settings->region_executions, 0u);
  EXPECT_EQ(settings->machine, "optane");
  EXPECT_EQ(settings->policy, "first-touch");
  EXPECT_EQ(settings->fast_capacity, KiB(1536));
  EXPECT_EQ(settings->sample_period, 127u);
  EXPECT_EQ(settings->seed, 7u);
  EXPECT_EQ(settings->report, "r.json");
  EXPECT_EQ(settings->presets, "there");
  EXPECT_EQ(settings->model, "mine.json");
  EXPECT_EQ(settings->base_profile, "bits");
  EXPECT_EQ(settings->clock_begin, 1'000'000'000u);
  EXPECT_EQ(settings->managed_minimum, KiB(64));
}

TEST_F(SettingsTest, ABadValueIsNamedWithItsVariable) {
  for (const auto& [variable, value] : {std::pair{"LBHM_FAST_CAPACITY", "0"},
                                        {"LBHM_FAST_CAPACITY", "lots"},
                                        {"LBHM_FAST_CAPACITY", "-4K"},
                                        {"LBHM_FAST_CAPACITY", "nan"},
                                        {"LBHM_FAST_CAPACITY", "1e30"},
                                        {"LBHM_SAMPLE_PERIOD", "0"},
                                        {"LBHM_SAMPLE_PERIOD", "7x"},
                                        {"LBHM_SAMPLE_PERIOD", "-1"},
                                        {"LBHM_SEED", "one"},
                                        {"LBHM_FAST_SHARE", "1.1"},
                                        {"LBHM_FAST_SHARE", "-0.1"},
                                        {"LBHM_FAST_SHARE", "nan"},
                                        {"LBHM_FAST_SHARE", "half"},
                                        {"LBHM_PACE", "0"},
                                        {"LBHM_PACE", "inf"},
                                        {"LBHM_PACE", "quick"},
                                        {"LBHM_REGION_EXECUTIONS", "-1"},
                                        {"LBHM_BASE_PROFILE", "pages"},
                                        {"LBHM_CLOCK_BEGIN", "now"},
                                        {"LBHM_CLOCK_BEGIN", "8000000001"},
                                        {"LBHM_SAMPLER", "hint"},
                                        {"LBHM_MANAGED_MINIMUM", "4KB"}}) {
    clear();
    setenv(variable, value, 1);
    const auto settings = read_settings();
    ASSERT_FALSE(settings) << variable << "=" << value;
    EXPECT_THAT(settings.error().message(), HasSubstr(std::string(variable) + "=" + value));
    EXPECT_THAT(settings.error().message(), HasSubstr("correct it or unset it"));
  }
}

TEST(ParseBytes, UnderstandsUnits) {
  EXPECT_EQ(parse_bytes("4096"), Bytes(4096));
  EXPECT_EQ(parse_bytes("64K"), KiB(64));
  EXPECT_EQ(parse_bytes("2G"), GiB(2));
  EXPECT_FALSE(parse_bytes(""));
  EXPECT_FALSE(parse_bytes("K"));
  EXPECT_FALSE(parse_bytes("12 K"));
}

}  // namespace
}  // namespace lbhm
