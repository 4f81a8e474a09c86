// Policy scatter on a host: does chance put the share asked for into fast memory, the same in every run, and is nothing
// lost when the kernel refuses?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/runtime/host/fake_computer.h"

namespace lbhm::host {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t many = 4000;

/// Which pages of an object are in fast memory.
std::vector<bool> scattered(double share, std::uint64_t seed, Bytes fast_capacity = GiB(1)) {
  Computer computer(fast_capacity);
  computer.memory->prefer_default(slow_first);
  computer.memory->scatter(Scatter(share, seed));
  const auto object = computer.object(many);
  computer.touch(object, many);
  std::vector<bool> found;
  for (const TierId tier : computer.where(object, many)) found.push_back(tier == fast);
  return found;
}

long count(const std::vector<bool>& pages) { return std::ranges::count(pages, true); }

TEST(ScatteredMemory, TheShareIsInFastMemoryAndTheSamePagesInEveryRun) {
  const auto quarter = scattered(0.25, 1);
  EXPECT_NEAR(static_cast<double>(count(quarter)), 0.25 * many, 0.02 * many);
  EXPECT_EQ(quarter, scattered(0.25, 1));
  EXPECT_NE(quarter, scattered(0.25, 2)) << "another seed, other pages";
  EXPECT_EQ(count(scattered(0, 1)), 0);
  EXPECT_EQ(count(scattered(1, 1)), long{many});
}

TEST(ScatteredMemory, WhatIsFastAtOneShareIsFastAtEveryLargerOne) {
  const auto few = scattered(0.2, 1), most = scattered(0.7, 1);
  for (std::size_t page = 0; page < many; ++page) EXPECT_TRUE(!few[page] || most[page]);
}

TEST(ScatteredMemory, WhatDoesNotFitIsInSlowMemory) { EXPECT_EQ(count(scattered(0.5, 1, Bytes(100 * page))), 100); }

TEST(ScatteredMemory, EveryObjectIsScattered) {
  Computer computer(GiB(1));
  computer.memory->prefer_default(slow_first);
  computer.memory->scatter(Scatter(0.5, 1));
  long in_fast = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto object = computer.object(1);
    computer.touch(object, 1);
    in_fast += computer.where(object, 1)[0] == fast;
  }
  EXPECT_NEAR(in_fast, 500, 50);
}

TEST(ScatteredMemory, OfVariablesThePagesThatNobodyHasTouched) {
  Computer computer(GiB(1));
  computer.memory->prefer_default(slow_first);
  computer.memory->scatter(Scatter(1, 1));
  constexpr std::uintptr_t variable = 0x5000'0000;
  for (std::size_t i = 0; i < 4; ++i) computer.kernel.pages.try_emplace(variable + i * page);
  computer.touch(variable, 2, 0);
  computer.memory->adopt(variable, Bytes(4 * page));
  computer.touch(variable + 2 * page, 2);
  EXPECT_THAT(computer.where(variable, 4), ElementsAre(slow, slow, fast, fast));
}

TEST(ScatteredMemory, APreferenceOfItsOwnComesFirst) {
  Computer computer(GiB(1));
  computer.memory->prefer_default(slow_first);
  computer.memory->scatter(Scatter(1, 1));
  const auto object = computer.object(4);
  ASSERT_TRUE(computer.memory->prefer(object, Bytes(4 * page), slow_first).ok());
  computer.touch(object, 4);
  EXPECT_THAT(computer.where(object, 4), Each(slow));
}

TEST(ScatteredMemory, MemoryIsThereAlthoughTheKernelRefuses) {
  for (const StatusCode code : {StatusCode::no_memory, StatusCode::unavailable}) {
    Computer computer(GiB(1));
    computer.memory->prefer_default(slow_first);
    computer.memory->scatter(Scatter(0.5, 1));
    computer.refusal = {code, "mbind failed"};
    for (int i = 0; i < 2; ++i) {
      const auto memory = computer.memory->reserve(Bytes(64 * page), Bytes(page));
      ASSERT_TRUE(memory);
      std::memset(*memory, 1, 64 * page);
      computer.memory->release(*memory, Bytes(64 * page));
    }
    EXPECT_THAT(computer.memory->remarks(), ElementsAre(HasSubstr("mbind failed"))) << "once";
  }
}

}  // namespace
}  // namespace lbhm::host
