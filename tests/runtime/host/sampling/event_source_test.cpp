// Does an event get the numbers that `perf stat -vv` would show for it?
#include "runtime/host/sampling/event_source.h"

#include <gmock/gmock.h>

#include "tests/runtime/host/sampling/made_up_units.h"

namespace lbhm::sampling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(EventSource, FieldsAreRangesOfBits) {
  EXPECT_THAT(parse_field("config1:0-3")->bits, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(parse_field("config1:0-3")->word, 1U);
  EXPECT_THAT(parse_field("config:0-1,21")->bits, ElementsAre(0, 1, 21));
  for (const char* text :
       {"", "config", "config:", "config9:0", "config:4-1", "config:64", "config:a-b", "config:0,,1"})
    EXPECT_FALSE(parse_field(text)) << text;
}

TEST(EventSource, TermsGoToTheirBitsAndLaterOnesWin) {
  made_up::Units units;
  units.add_intel("cpu", "4");
  const auto unit = EventSource::find(units.root(), "cpu");
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->type(), 4U);
  perf_event_attr attr{};
  ASSERT_TRUE(unit->apply(*unit->event("mem-loads") + ",ldlat=128", attr).ok());
  EXPECT_EQ(attr.config, 0x1cdU);
  EXPECT_EQ(attr.config1, 128U);
}

TEST(EventSource, AFieldInTwoPiecesIsFilledFromTheLowEnd) {
  made_up::Units units;
  units.write("odd/type", "9");
  units.write("odd/format/split", "config2:0-3,60-63");
  perf_event_attr attr{};
  ASSERT_TRUE(EventSource::find(units.root(), "odd")->apply("split=0xa5", attr).ok());
  EXPECT_EQ(attr.config2, 0xa000000000000005U);
}

TEST(EventSource, AFlagNeedsNoValue) {
  made_up::Units units;
  units.write("odd/type", "9");
  units.write("odd/format/flag", "config:17");
  perf_event_attr attr{};
  ASSERT_TRUE(EventSource::find(units.root(), "odd")->apply("flag", attr).ok());
  EXPECT_EQ(attr.config, 1U << 17);
}

TEST(EventSource, WhatDoesNotFitIsNamed) {
  made_up::Units units;
  units.add_intel("cpu", "4");
  const auto unit = EventSource::find(units.root(), "cpu");
  perf_event_attr attr{};
  EXPECT_THAT(unit->apply("event=0x1cd", attr).message(), HasSubstr("format/event: has no room for 461"));
  EXPECT_THAT(unit->apply("frontend=1", attr).message(), HasSubstr("format/frontend"));
  EXPECT_THAT(unit->apply("event=many", attr).message(), HasSubstr("'event'"));
  EXPECT_FALSE(unit->apply("../type=1", attr).ok());
}

TEST(EventSource, HybridProcessorsHaveSeveralUnits) {
  made_up::Units units;
  units.add_intel("cpu_core", "4");
  units.add_intel("cpu_atom", "10");
  units.write("cpuidle/type", "77");
  const auto all = EventSource::all(units.root(), "cpu");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name(), "cpu_atom");
  EXPECT_EQ(all[1].name(), "cpu_core");
  EXPECT_TRUE(EventSource::all(units.root() + "/nowhere", "cpu").empty());
}

}  // namespace
}  // namespace lbhm::sampling
