// Is it said which sampler and which observer of pages the host gets, and why not better ones?
#include "runtime/engine/machines/host_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lbhm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string nowhere = "/nowhere";  // neither processor units nor page_idle

HostServices services() {
  return {.where = [](auto, auto out) { std::ranges::fill(out, no_tier); },
          .managed = [](const UseRanges& use) { use({}); },
          .now = [] { return Nanoseconds(0); }};
}

TEST(HostSources, AnObserverSaysWhatItIsUsedInPlaceOf) {
  Settings settings;
  settings.hint_faults = true;
  const auto sources = make_host_sources(settings, false, services(), nowhere);
  ASSERT_TRUE(sources) << sources.error().message();
  EXPECT_EQ(sources->sampler, nullptr);
  ASSERT_NE(sources->observer, nullptr);
  EXPECT_THAT(sources->remarks, ElementsAre(testing::AllOf(HasSubstr("accessed bits are hint faults of our own"),
                                                           HasSubstr("/sys/kernel/mm/page_idle/bitmap"))));
}

TEST(HostSources, PagesAreNotForbiddenUnasked) {
  const auto sources = make_host_sources({}, false, services(), nowhere);
  ASSERT_TRUE(sources) << sources.error().message();
  EXPECT_EQ(sources->observer, nullptr);
  EXPECT_THAT(sources->remarks, ElementsAre(testing::AllOf(HasSubstr("/sys/kernel/mm/page_idle/bitmap"),
                                                           HasSubstr("LBHM_HINT_FAULTS=on"))));
}

TEST(HostSources, SamplersThatDoNotWorkAreNamed) {
  Settings settings;
  settings.sampler = "auto";
  const auto sources = make_host_sources(settings, true, services(), nowhere);
  ASSERT_TRUE(sources) << sources.error().message();
  EXPECT_THAT(sources->remarks, Contains(HasSubstr("sampler pebs: no event mem-loads")));
}

TEST(HostSources, ASamplerThatWasAskedForSaysNothing) {
  Settings settings;
  settings.sampler = "hints";
  const auto sources = make_host_sources(settings, true, services(), nowhere);
  ASSERT_TRUE(sources) << sources.error().message();
  EXPECT_NE(sources->sampler, nullptr);
  EXPECT_EQ(sources->remarks.size(), 1U);  // the observer's
}

}  // namespace
}  // namespace lbhm
