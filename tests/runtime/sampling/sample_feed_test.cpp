// Does each sample say for how many accesses it stands, when the period changes while a phase runs?
#include "runtime/sampling/sample_feed.h"

#include <gtest/gtest.h>

#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

using Reader = SampleFeed::Reader;

class Feed : public testing::Test {
 protected:
  Feed() {
    feed_.follow(Reader::phases, true);
    feed_.follow(Reader::intervals, true);
    machine_.fake_samples().set_period(AccessCount(100));
  }
  void sample(std::uintptr_t address) {
    AccessSample one;
    one.address = address;
    one.tier = TierId(0);
    machine_.fake_samples().add(one);
  }
  std::vector<double> weights(Reader reader) {
    std::vector<AccessSample> samples;
    feed_.read(reader, samples);
    std::vector<double> weights;
    for (const AccessSample& each : samples) weights.push_back(each.weight);
    return weights;
  }

  fake::FakeMachine machine_{{10, 10}};
  SampleFeed feed_{machine_};
};

TEST_F(Feed, SamplesFromBeforeAChangeStandForWhatTheyDid) {
  sample(1);
  feed_.change_period(AccessCount(400));
  sample(2);
  feed_.change_period(AccessCount(200));
  sample(3);
  for (const Reader reader : {Reader::phases, Reader::intervals})
    EXPECT_EQ(weights(reader), (std::vector<double>{1, 4, 2}));
}

TEST_F(Feed, ThePeriodIsTheMachinesOwn) {
  feed_.change_period(AccessCount(400));
  EXPECT_EQ(feed_.period(), AccessCount(100));
  EXPECT_EQ(machine_.fake_samples().period(), AccessCount(400));
}

TEST_F(Feed, WhoReadsAlongGetsWhatOthersCameFor) {
  feed_.follow(Reader::timeline, true);
  std::vector<AccessSample> along;
  sample(1);
  feed_.read_along(Reader::timeline, along);
  EXPECT_TRUE(along.empty());
  EXPECT_EQ(weights(Reader::phases).size(), 1u);
  feed_.read_along(Reader::timeline, along);
  EXPECT_EQ(along.size(), 1u);
}

TEST_F(Feed, WhatAReaderCannotKeepIsLost) {
  SampleFeed small(machine_, 10);
  small.follow(Reader::intervals, true);
  std::vector<AccessSample> samples;
  for (const std::uintptr_t count : {10, 7}) {
    for (std::uintptr_t i = 0; i < count; ++i) sample(i);
    EXPECT_EQ(small.read(Reader::phases, samples), 0u);
  }
  samples.clear();
  EXPECT_EQ(small.read(Reader::intervals, samples), 7u);
  EXPECT_EQ(samples.size(), 10u);
  EXPECT_EQ(small.read(Reader::intervals, samples), 0u) << "they are told once";
}

TEST_F(Feed, WhereNothingIsSampledNothingChanges) {
  machine_.fake_samples().set_period(AccessCount(0));
  feed_.change_period(AccessCount(400));
  EXPECT_EQ(machine_.fake_samples().period(), AccessCount(0));
  machine_.fake_samples().set_period(AccessCount(100));
  feed_.change_period(AccessCount(0));
  EXPECT_EQ(machine_.fake_samples().period(), AccessCount(100));
}

}  // namespace
}  // namespace lbhm
