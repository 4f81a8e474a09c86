#include "emulator/memory/memory_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace lbhm::emulator {
namespace {

/// The same in the plainest way: all changes sorted, and made one after the other.
class NaiveCache {
 public:
  NaiveCache(std::uint64_t sets, std::uint64_t cores) : sets_(sets), own_(cores) {}

  MemoryCacheView::Outcome access(std::uint64_t core, PhysicalLine line, bool write, Picoseconds now) {
    const std::uint64_t set = line % sets_;
    const auto found = own_[core].find(set);
    const Entry old = found == own_[core].end() ? entries_[set] : found->second;
    const bool hit = old.is_there && old.line == line;
    const Entry fresh{.line = line, .is_there = true, .dirty = write || (hit && old.dirty)};
    own_[core][set] = fresh;
    if (!hit || fresh.dirty != old.dirty) changes_.push_back({now, core, changes_.size(), set, fresh});
    if (hit) return {.hit = true};
    return {.hit = false, .dirty_victim = old.dirty, .victim = old.line};
  }

  void merge() {
    std::ranges::sort(changes_, {}, [](const Change& c) { return std::tuple(c.time, c.core, c.sequence); });
    for (const Change& change : changes_) entries_[change.set] = change.entry;
    changes_.clear();
    for (auto& own : own_) own.clear();
  }

 private:
  struct Entry {
    PhysicalLine line = 0;
    bool is_there = false;
    bool dirty = false;
  };
  struct Change {
    Picoseconds time;
    std::uint64_t core;
    std::size_t sequence;
    std::uint64_t set;
    Entry entry;
  };
  std::uint64_t sets_;
  std::vector<std::map<std::uint64_t, Entry>> own_;
  std::map<std::uint64_t, Entry> entries_;
  std::vector<Change> changes_;
};

/// More changes than a core has slots for at first; cores hand them over in another order each time, and a core's times
/// are not in order.
TEST(MemoryCache, DoesTheSameAsSortingAllChanges) {
  constexpr std::uint64_t sets = 3000, cores = 3;
  MemoryCache cache(sets);
  NaiveCache naive(sets, cores);
  std::vector<MemoryCacheView> views;
  for (std::uint64_t core = 0; core < cores; ++core) views.emplace_back(cache, core);
  std::mt19937 random(1);
  for (int quantum = 0; quantum < 20; ++quantum) {
    for (int i = 0; i < 6000; ++i) {
      const std::uint64_t core = random() % cores;
      const PhysicalLine line = random() % (3 * sets);
      const bool write = random() % 3 == 0;
      const Picoseconds now = random() % 1000;
      const auto outcome = views[core].access(line, write, now), expected = naive.access(core, line, write, now);
      ASSERT_EQ(outcome.hit, expected.hit);
      ASSERT_EQ(outcome.dirty_victim, expected.dirty_victim);
      ASSERT_EQ(outcome.victim, expected.victim);
      if (i % 100 == 0) views[random() % cores].publish();
    }
    for (std::uint64_t k = 0; k < cores; ++k) views[(k + random()) % cores].publish();
    for (MemoryCacheView& view : views) view.publish();
    cache.merge();
    naive.merge();
  }
}

}  // namespace
}  // namespace lbhm::emulator
