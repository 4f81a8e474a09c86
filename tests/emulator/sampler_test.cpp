#include "emulator/parts/sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace lbhm::emulator {
namespace {

TEST(Sampler, MeetsEveryMissOfALoopAsOftenAsTheOthers) {
  constexpr std::size_t period = 6, turn = 2 * period, turns = 6000;  // a fixed distance would meet two of the twelve
  Sampler sampler(period, 1);
  std::array<double, turn> samples{};
  for (std::size_t miss = 0; miss < turn * turns; ++miss) samples.at(miss % turn) += sampler.due() ? 1 : 0;
  constexpr double each = static_cast<double>(turns) / period;
  for (const double of_miss : samples) EXPECT_NEAR(of_miss, each, 0.1 * each);
}

TEST(Sampler, CountsWhatDoesNotFit) {
  Sampler sampler(1, 1);
  for (std::size_t i = 0; i < Sampler::buffer_size + 5; ++i) sampler.record({});
  std::vector<AccessSample> samples;
  EXPECT_EQ(sampler.drain(samples), 5u);
  EXPECT_EQ(samples.size(), Sampler::buffer_size);
  EXPECT_EQ(sampler.drain(samples), 0u);
}

}  // namespace
}  // namespace lbhm::emulator
