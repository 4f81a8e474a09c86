// What the module makes of a PAPI with enough counters, too few, or none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "fake_papi.h"
#include "runtime/host/modules.h"

extern "C" const lbhm::host::CounterModule* lbhm_papi_v1();

namespace lbhm::host {
namespace {

class PapiLogic : public testing::Test {
 protected:
  PapiLogic() {
    fake_papi = {};
    fake_papi.events = {{"A", 1}, {"B", 20}, {"C", 300}, {"D", 4000}, {"E", 50000}};
  }
  ~PapiLogic() override {
    EXPECT_EQ(fake_papi.sets, 0) << "every set is given back";
    EXPECT_EQ(fake_papi.registered, 0);
  }

  CounterSet* start(std::initializer_list<const char*> events) {
    return module.start(events.begin(), static_cast<int>(events.size()), counted.data(), &turns);
  }

  const CounterModule& module = *lbhm_papi_v1();
  std::array<unsigned char, most_counter_events> counted{};
  std::array<long long, most_counter_events> values{};
  int turns = -1;
};

TEST_F(PapiLogic, BeginsOrSaysWhyNot) {
  EXPECT_EQ(module.begin(), nullptr);
  fake_papi.disabled = "perf_event_paranoid is 4";
  EXPECT_STREQ(module.begin(), "perf_event_paranoid is 4");
  fake_papi.component = false;
  EXPECT_STREQ(module.begin(), "PAPI was built without perf_event");
  fake_papi.threads = false;
  EXPECT_STREQ(module.begin(), "PAPI does not support threads here");
  fake_papi.version = 7;
  EXPECT_STREQ(module.begin(), "PAPI has another version");
  fake_papi.version = -1;
  EXPECT_STREQ(module.begin(), "Error of the fake");
}

TEST_F(PapiLogic, APresetWithoutAnEventBehindItIsNotThere) {
  EXPECT_TRUE(module.can_count("A"));
  EXPECT_FALSE(module.can_count("PAPI_TOT_INS"));
  EXPECT_FALSE(module.can_count("nonsense"));
}

TEST_F(PapiLogic, EventsThatFitAreCountedExactly) {
  ASSERT_EQ(module.begin(), nullptr);
  CounterSet* set = start({"B", "A"});
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(turns, 0);
  EXPECT_EQ(module.read(set, values.data()), 0);
  EXPECT_EQ(values[0], 20);
  EXPECT_EQ(values[1], 1);
  module.stop(set);
}

TEST_F(PapiLogic, MoreEventsThanCountersTakeTurns) {
  ASSERT_EQ(module.begin(), nullptr);
  CounterSet* set = start({"A", "B", "C", "D", "E"});
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(turns, 1);
  EXPECT_EQ(module.read(set, values.data()), 0);
  EXPECT_EQ(values[4], 50000);
  module.stop(set);
}

TEST_F(PapiLogic, AnEventThatNoSetTakesIsLeftOut) {
  ASSERT_EQ(module.begin(), nullptr);
  fake_papi.never = {"B"};
  CounterSet* set = start({"A", "B", "C"});
  ASSERT_NE(set, nullptr);
  EXPECT_THAT((std::array{counted[0], counted[1], counted[2]}), testing::ElementsAre(1, 0, 1));
  EXPECT_EQ(module.read(set, values.data()), 0);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[2], 300) << "counts stay with their events";
  module.stop(set);
}

TEST_F(PapiLogic, WithoutTurnsTheFirstEventsAreCounted) {
  ASSERT_EQ(module.begin(), nullptr);
  fake_papi.can_take_turns = false;
  CounterSet* set = start({"A", "B", "C", "D", "E"});
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(turns, 0);
  EXPECT_TRUE(counted[3]);
  EXPECT_FALSE(counted[4]);
  module.stop(set);
}

TEST_F(PapiLogic, NothingThatCanBeCountedIsNoSet) {
  ASSERT_EQ(module.begin(), nullptr);
  fake_papi.never = {"A"};
  EXPECT_EQ(start({"A"}), nullptr);
}

}  // namespace
}  // namespace lbhm::host
