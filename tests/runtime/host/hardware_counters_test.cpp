// What is counted when the processor has all events, few of them, too few counters, or none.
#include "runtime/host/hardware_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "runtime/host/counter_events.h"

namespace lbhm::host {

struct CounterSet {
  std::vector<std::string> events;
};

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The processor that the double counts for. Values are of every thread.
struct Processor {
  std::map<std::string, long long> values;
  const char* why = nullptr;  ///< begin() says it
  std::string left_out;       ///< an event that start() leaves out
  int turns = 0;
  int reads_that_fail = 0;
};
Processor processor;
std::atomic<int> most, started, stopped;  // threads that can be counted, that were, and that no longer are

const CounterModule module_double{
    .begin = [] { return processor.why; },
    .can_count = [](const char* event) -> int { return processor.values.contains(event); },
    .start = [](const char* const* events, int count, unsigned char* counted, int* turns) -> CounterSet* {
      if (most.fetch_sub(1) <= 0) return nullptr;
      ++started;
      *turns = processor.turns;
      auto* set = new CounterSet;
      for (int i = 0; i < count; ++i) {
        set->events.emplace_back(events[i]);
        counted[i] = events[i] != processor.left_out;
      }
      return set;
    },
    .read = [](CounterSet* set, long long* values) -> int {
      if (processor.reads_that_fail > 0) return processor.reads_that_fail--;
      for (std::size_t i = 0; i < set->events.size(); ++i) {
        const auto at = processor.values.find(set->events[i]);  // the main thread still has the set of an earlier test
        values[i] = at == processor.values.end() ? 0 : at->second;
      }
      return 0;
    },
    .stop =
        [](CounterSet* set) {
          ++stopped;
          delete set;
        }};

class CountersTest : public testing::Test {
 protected:
  CountersTest() {
    processor = {};
    most = 1000;
    started = stopped = 0;
  }
};

TEST_F(CountersTest, PresetsComeFirst) {
  processor.values = {{"PAPI_TOT_INS", 100}, {"perf::INSTRUCTIONS", 7}, {"PAPI_TOT_CYC", 50}};
  Counters counters(&module_double);
  counters.thread_begins();
  EXPECT_EQ(counters.of_thread().instructions, 100);
  EXPECT_EQ(counters.of_thread().cycles, 50);
}

TEST_F(CountersTest, FallBacksStandInAndMayBeSums) {
  processor.values = {
      {"perf::INSTRUCTIONS", 7}, {"L2_PREFETCH_HIT_L2", 1}, {"L2_PREFETCH_HIT_L3", 20}, {"L2_PREFETCH_MISS_L3", 300}};
  Counters counters(&module_double);
  counters.thread_begins();
  const EventCounts counts = counters.of_thread();
  EXPECT_EQ(counts.instructions, 7);
  EXPECT_EQ(counts.prefetches, 321);
  EXPECT_EQ(counts.prefetch_misses, 300);
}

TEST_F(CountersTest, ASumWithoutOneOfItsEventsIsMissing) {
  processor.values = {{"L2_PREFETCH_HIT_L2", 1}, {"L2_PREFETCH_MISS_L3", 300}};
  Counters counters(&module_double);
  counters.thread_begins();
  EXPECT_LT(counters.of_thread().prefetches, 0);
  EXPECT_EQ(counters.of_thread().prefetch_misses, 300);
}

TEST_F(CountersTest, WhatIsMissingIsNamedOnce) {
  processor.values = {{"PAPI_TOT_INS", 1}, {"PAPI_TOT_CYC", 1}, {"PAPI_BR_CN", 1}, {"PAPI_BR_MSP", 1}};
  Counters counters(&module_double);
  counters.thread_begins();
  std::thread([&] { counters.thread_begins(); }).join();
  ASSERT_THAT(counters.remarks(), SizeIs(1));
  EXPECT_THAT(counters.remarks()[0], HasSubstr("last-level cache misses (PAPI_L3_TCM), prefetches (L2_RQSTS:ALL_PF)"));
  EXPECT_THAT(counters.remarks()[0], HasSubstr("given them as missing"));
  EXPECT_LT(counters.of_thread().llc_misses, 0);
}

TEST_F(CountersTest, EventsOfTheModelAloneAreNotMissed) {
  const EventChoice choice =
      choose_events([](const char* event) { return std::string(event) != "L1D_PEND_MISS:FB_FULL"; });
  EXPECT_THAT(choice.missing, IsEmpty());
  EXPECT_THAT(choice.counts, SizeIs(14));
}

TEST_F(CountersTest, AnEventOfTwoCountsIsCountedOnce) {
  const EventChoice choice =
      choose_events([](const char* event) { return std::string(event).starts_with("L2_PREFETCH_"); });
  EXPECT_THAT(choice.events, ElementsAre("L2_PREFETCH_HIT_L2", "L2_PREFETCH_HIT_L3", "L2_PREFETCH_MISS_L3"));
  EXPECT_THAT(choice.counts, SizeIs(2));
}

TEST_F(CountersTest, AProcessorWithoutEventsGivesNothing) {
  Counters counters(&module_double);
  counters.thread_begins();
  EXPECT_LT(counters.of_thread().instructions, 0);
  EXPECT_EQ(counters.of_all(), std::nullopt);
  EXPECT_EQ(started, 0);
}

TEST_F(CountersTest, TheReasonIsTold) {
  processor.values = {{"PAPI_TOT_INS", 1}};
  processor.why = "perf_event_paranoid is 4";
  Counters counters(&module_double);
  counters.thread_begins();
  EXPECT_LT(counters.of_thread().instructions, 0);
  EXPECT_THAT(counters.remarks(), ElementsAre(HasSubstr("(perf_event_paranoid is 4)")));
}

TEST_F(CountersTest, ScaledCountsNeverFall) {
  processor.values = {{"PAPI_TOT_INS", 1000}};
  processor.turns = 1;
  Counters counters(&module_double);
  counters.thread_begins();
  EXPECT_EQ(counters.of_thread().instructions, 1000);
  processor.values["PAPI_TOT_INS"] = 990;
  EXPECT_EQ(counters.of_thread().instructions, 1000);
  EXPECT_THAT(counters.remarks(), Contains(HasSubstr("take turns")));
}

TEST_F(CountersTest, AnEventThatDoesNotFitIsMissingInThatThread) {
  processor.values = {{"PAPI_TOT_INS", 10}, {"PAPI_TOT_CYC", 20}};
  processor.left_out = "PAPI_TOT_CYC";
  Counters counters(&module_double);
  counters.thread_begins();
  EXPECT_EQ(counters.of_thread().instructions, 10);
  EXPECT_LT(counters.of_thread().cycles, 0);
  EXPECT_THAT(counters.remarks(), Contains(HasSubstr("no counter was left: PAPI_TOT_CYC; the model")));
}

TEST_F(CountersTest, AThreadThatCannotBeCountedIsTold) {
  processor.values = {{"PAPI_TOT_INS", 10}};
  most = 1;
  Counters counters(&module_double);
  counters.thread_begins();
  std::thread([&] {
    counters.thread_begins();
    counters.thread_begins();
    EXPECT_LT(counters.of_thread().instructions, 0);
  }).join();
  EXPECT_EQ(counters.of_all()->instructions, 10) << "the other one is";
  EXPECT_THAT(counters.remarks(), Contains(HasSubstr("events of 1 threads could not be counted")));
}

TEST_F(CountersTest, ThreadsThatHaveEndedStayInTheSum) {
  processor.values = {{"PAPI_TOT_INS", 10}};
  Counters counters(&module_double);
  counters.thread_begins();
  const int before = stopped;  // this thread has left the counters of an earlier test
  for (int i = 0; i < 3; ++i) std::thread([&] { counters.thread_begins(); }).join();
  EXPECT_EQ(counters.of_all()->instructions, 40);
  EXPECT_LT(counters.of_all()->cycles, 0);
  EXPECT_EQ(stopped - before, 3) << "their counters are given back";
}

TEST_F(CountersTest, ThreadsBeginReadAndEndWhileAllAreSummedUp) {
  processor.values = {{"PAPI_TOT_INS", 10}};
  Counters counters(&module_double);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      counters.thread_begins();
      for (int read = 0; read < 100; ++read) EXPECT_EQ(counters.of_thread().instructions, 10);
    });
  }
  for (int i = 0; i < 100; ++i) {
    const auto sum = counters.of_all();
    EXPECT_TRUE(!sum || sum->instructions <= 80);
  }
  threads.clear();
  EXPECT_EQ(counters.of_all()->instructions, 80);
}

TEST_F(CountersTest, AReadThatFailsKeepsTheLastCounts) {
  processor.values = {{"PAPI_TOT_INS", 10}};
  Counters counters(&module_double);
  counters.thread_begins();
  processor.reads_that_fail = 1;
  processor.values["PAPI_TOT_INS"] = 30;
  EXPECT_EQ(counters.of_thread().instructions, 10);
  EXPECT_EQ(counters.of_thread().instructions, 30);
}

TEST_F(CountersTest, ACounterMayEndBeforeTheThread) {
  processor.values = {{"PAPI_TOT_INS", 10}};
  std::thread([] {
    {
      Counters counters(&module_double);
      counters.thread_begins();
    }
    Counters next(&module_double);
    EXPECT_LT(next.of_thread().instructions, 0) << "not begun with this one";
    next.thread_begins();
    EXPECT_EQ(next.of_thread().instructions, 10);
  }).join();
  EXPECT_EQ(started, 2);
  EXPECT_EQ(stopped, 2);
}

TEST_F(CountersTest, NothingIsOpenedBeforeSomebodyWantsCounts) {
  Counters counters;  // the test's folder has no modules, which would be a remark
  counters.thread_begins();
  EXPECT_LT(counters.of_thread().instructions, 0);
  EXPECT_EQ(counters.of_all(), std::nullopt);
  EXPECT_THAT(counters.remarks(), IsEmpty());
}

TEST_F(CountersTest, WithoutTheModuleAllIsMissingAndThePackageNamed) {
  Counters counters;
  counters.want();
  counters.want();
  EXPECT_LT(counters.of_thread().instructions, 0);
  EXPECT_EQ(counters.of_all(), std::nullopt);
  EXPECT_THAT(counters.remarks(), ElementsAre(testing::AllOf(HasSubstr("liblbhm-papi.so"), HasSubstr("libpapi7.0"))));
}

}  // namespace
}  // namespace lbhm::host
