// Where pages of new objects appear, learned from the objects before them.
#include "runtime/placement/births.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

PlacedObject object(std::uintptr_t number, std::uint64_t pages, std::string_view name = "") {
  return {number << 32, test_pages(pages), name};
}

/// An instance: its objects are allocated, its scope begins, the first half of each is wanted in fast memory.
void instance(Births& births, const std::vector<PlacedObject>& objects) {
  for (const PlacedObject& o : objects) births.place(o, test_page);
  births.scope_begins({.number = 0, .objects = objects, .page = test_page, .fast_capacity = {}});
  std::vector<PageRange> fast;
  for (const PlacedObject& o : objects) fast.push_back({o.address, o.bytes / 2});
  births.learn(fast, test_page);
}

TEST(Births, NothingIsKnownOfTheFirstObjects) {
  Births births;
  EXPECT_THAT(births.place(object(1, 8, "a"), test_page).moves, IsEmpty());
}

TEST(Births, AnObjectOfTheSameNameAppearsAsThePlanForTheLastOneWas) {
  Births births;
  instance(births, {object(1, 8, "a"), object(2, 8, "b")});
  const MigrationPlan plan = births.place(object(7, 16, "b"), test_page);
  ASSERT_THAT(plan.moves, SizeIs(1));
  EXPECT_EQ(plan.moves[0].address, std::uintptr_t{7} << 32);
  EXPECT_EQ(plan.moves[0].bytes, test_pages(8));
  EXPECT_EQ(plan.moves[0].to, TierId(0));
  EXPECT_THAT(births.place(object(8, 16, "c"), test_page).moves, IsEmpty());
}

TEST(Births, WithoutNamesTheOrderOfAllocationsCounts) {
  Births births;
  instance(births, {object(1, 8)});  // the first before any scope
  const std::vector<PlacedObject> second{object(2, 8), object(3, 4)};
  instance(births, second);
  EXPECT_THAT(births.place(object(4, 8), test_page).moves, SizeIs(1));
  EXPECT_THAT(births.place(object(5, 6), test_page).moves, SizeIs(1));
  EXPECT_THAT(births.place(object(6, 6), test_page).moves, IsEmpty());
}

TEST(Births, TheLatestPlanCounts) {
  Births births;
  instance(births, {object(1, 8, "a")});
  births.learn({}, test_page);
  EXPECT_THAT(births.place(object(2, 8, "a"), test_page).moves, IsEmpty());
}

}  // namespace
}  // namespace lbhm::placement
