// Is what fast memory would serve, if it held the pages of the last samples, told from what it serves?
#include "runtime/placement/gains/reuse.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace lbhm::placement {
namespace {

constexpr Bytes page{4096};
constexpr std::uint64_t fast_pages = 256;

/// Samples of pages drawn from so many, of which the first `fast` lie in fast memory.
std::vector<AccessSample> drawn(std::uint64_t pages, std::uint64_t fast, std::size_t count, std::mt19937& random) {
  std::vector<AccessSample> samples(count);
  for (AccessSample& sample : samples) {
    const std::uint64_t number = random() % pages;
    sample.address = number * page.value + random() % page.value;
    sample.tier = TierId(number < fast ? 0 : 1);
  }
  return samples;
}

bool promises(std::uint64_t pages, std::uint64_t fast, std::size_t samples) {
  std::mt19937 random(1);
  Reuse reuse;
  reuse.add(drawn(pages, fast, samples, random), fast_pages, page);
  return reuse.promises();
}

TEST(Reuse, PagesThatFitAndAreUsedAgainPromiseMuch) {
  EXPECT_TRUE(promises(128, 0, 2000));
  EXPECT_FALSE(promises(128, 128, 2000)) << "they are there";
}

TEST(Reuse, PagesThatDoNotFitPromiseNothing) {
  EXPECT_FALSE(promises(4096, 256, 20000)) << "all are as good";
  EXPECT_FALSE(promises(1'000'000, 0, 20000));
}

TEST(Reuse, AFewSamplesAreNoPromise) {
  EXPECT_FALSE(promises(4, 0, 12));
  EXPECT_TRUE(promises(4, 0, 40));
}

TEST(Reuse, ForgetsWhatItSaw) {
  std::mt19937 random(1);
  Reuse reuse;
  reuse.add(drawn(128, 0, 2000, random), fast_pages, page);
  reuse.forget();
  EXPECT_FALSE(reuse.promises());
}

}  // namespace
}  // namespace lbhm::placement
