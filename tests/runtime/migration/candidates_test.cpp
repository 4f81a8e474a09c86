// Is every managed page a candidate exactly once, with the accesses that all tasks together expect?
#include "runtime/migration/candidates.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

constexpr std::uint64_t page = 4096;

Object object_at(std::uintptr_t address, std::uint64_t pages, bool migratable = true) {
  return {.id = {}, .address = address, .bytes = Bytes(pages * page), .name = "", .migratable = migratable};
}

TaskForecast task_on(std::uint64_t first, std::uint64_t pages, double count) {
  TaskForecast task;
  task.accesses.extents = {
      {.slot = ObjectSlot(0), .first = PageIndex(first), .pages = pages, .count = AccessCount(count)}};
  return task;
}

TEST(Eviction, ObjectsOutsideTheScopeAreUnused) {
  const std::vector<Object> managed{object_at(0x100000, 3)};
  const auto out = eviction_candidates(managed, {});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].address, 0x100000u);
  EXPECT_EQ(out[0].bytes, Bytes(3 * page));
  EXPECT_EQ(out[0].per_page.value, 0);
}

TEST(Eviction, RunsOfAllTasksAddUpAndGapsAreUnused) {
  const std::vector<Object> managed{object_at(0x100000, 10)};
  ScopeForecast scope;
  scope.objects = {0x100000};
  scope.tasks = {task_on(2, 4, 40), task_on(2, 4, 80)};
  const auto out = eviction_candidates(managed, scope);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].bytes, Bytes(2 * page));
  EXPECT_EQ(out[1].address, 0x100000u + 2 * page);
  EXPECT_EQ(out[1].bytes, Bytes(4 * page));
  EXPECT_EQ(out[1].per_page.value, 30);
  EXPECT_EQ(out[2].address, 0x100000u + 6 * page);
  EXPECT_EQ(out[2].bytes, Bytes(4 * page));
}

TEST(Eviction, PinnedObjectsAreNoCandidates) {
  const std::vector<Object> managed{object_at(0x100000, 3, false)};
  EXPECT_TRUE(eviction_candidates(managed, {}).empty());
}

TEST(Eviction, APartialLastPageCountsWhole) {
  std::vector<Object> managed{object_at(0x100000, 1)};
  managed[0].bytes = Bytes(page + 1);
  const auto out = eviction_candidates(managed, {});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].bytes, Bytes(2 * page));
}

}  // namespace
}  // namespace lbhm
