#include "emulator/parts/cache.h"

#include <gtest/gtest.h>

#include <list>
#include <random>
#include <vector>

namespace lbhm::emulator {
namespace {

/// The same in the plainest way: a list a set, the most recent line in front.
class NaiveCache {
 public:
  explicit NaiveCache(CacheShape shape) : shape_(shape), sets_(shape.sets) {}

  Cache::Outcome access(LineId line, bool write) {
    auto& set = sets_[line % shape_.sets];
    for (auto it = set.begin(); it != set.end(); ++it) {
      if (it->line != line) continue;
      set.splice(set.begin(), set, it);
      set.front().dirty |= write;
      return {.hit = true};
    }
    set.push_front({line, write});
    if (set.size() <= shape_.ways) return {};
    const Entry victim = set.back();
    set.pop_back();
    return {.hit = false, .victim_dirty = victim.dirty, .victim = victim.line};
  }

  bool mark_dirty(LineId line) {
    for (Entry& entry : sets_[line % shape_.sets]) {
      if (entry.line == line) return entry.dirty = true;
    }
    return false;
  }

 private:
  struct Entry {
    LineId line;
    bool dirty;
  };
  CacheShape shape_;
  std::vector<std::list<Entry>> sets_;
};

class CacheShapes : public testing::TestWithParam<CacheShape> {};

TEST_P(CacheShapes, AgreeWithTheNaiveCacheOnRandomAccesses) {
  const CacheShape shape = GetParam();
  Cache cache(shape);
  NaiveCache naive(shape);
  std::mt19937 random(1);
  // Three times what fits, so that hits, clean victims and dirty victims all occur.
  std::uniform_int_distribution<LineId> lines(64, 63 + 3 * shape.sets * shape.ways);
  std::size_t hits = 0;
  std::size_t dirty_victims = 0;
  for (int i = 0; i < 50'000; ++i) {
    const LineId line = lines(random);
    if (random() % 8 == 0) { ASSERT_EQ(cache.mark_dirty(line), naive.mark_dirty(line)) << "step " << i; }
    const bool write = random() % 4 == 0;
    const Cache::Outcome got = cache.access(line, write);
    const Cache::Outcome expected = naive.access(line, write);
    ASSERT_EQ(got.hit, expected.hit) << "step " << i;
    ASSERT_EQ(got.victim, expected.victim) << "step " << i;
    ASSERT_EQ(got.victim_dirty, expected.victim_dirty) << "step " << i;
    hits += got.hit;
    dirty_victims += got.victim_dirty;
  }
  EXPECT_GT(hits, 10'000u);
  EXPECT_GT(dirty_victims, 1'000u);
}

INSTANTIATE_TEST_SUITE_P(Ways, CacheShapes,
                         testing::Values(CacheShape{32, 1}, CacheShape{16, 3}, CacheShape{32, 8}, CacheShape{128, 11},
                                         CacheShape{64, 16}, CacheShape{4, 31}),
                         [](const auto& shape) { return std::to_string(shape.param.ways); });

TEST(Cache, TheLargestLineNumberIsAsGoodAsAnyOther) {
  Cache cache({.sets = 4, .ways = 2});
  const LineId largest = (LineId{1} << line_id_bits) - 1;
  EXPECT_FALSE(cache.access(largest, true).hit);
  EXPECT_TRUE(cache.access(largest, false).hit);
  cache.access(largest - 4, false);
  const Cache::Outcome third = cache.access(largest - 8, false);
  EXPECT_EQ(third.victim, largest);
  EXPECT_TRUE(third.victim_dirty);
}

TEST(Cache, ClearForgetsDirtyLinesWithoutAVictim) {
  Cache cache({.sets = 1, .ways = 1});
  cache.access(64, true);
  cache.clear();
  const Cache::Outcome after = cache.access(65, false);
  EXPECT_FALSE(after.hit);
  EXPECT_EQ(after.victim, no_line);
  EXPECT_FALSE(after.victim_dirty);
}

}  // namespace
}  // namespace lbhm::emulator
