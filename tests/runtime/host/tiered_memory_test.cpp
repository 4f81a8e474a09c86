// Do objects appear where they should, do moves keep to what may be used, is nothing lost when the kernel refuses?
#include "runtime/host/tiered_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/host/fake_computer.h"

namespace lbhm::host {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(TieredMemory, ObjectsAreZeroedAndAligned) {
  Computer computer(MiB(64));
  for (const Bytes alignment : {Bytes(4096), KiB(64), MiB(2), MiB(32)}) {
    const auto memory = computer.memory->reserve(KiB(12), alignment);
    ASSERT_TRUE(memory);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(*memory) % alignment.value, 0u);
    EXPECT_EQ(static_cast<char*>(*memory)[12287], 0);
    std::memset(*memory, 1, 12288);
    computer.memory->release(*memory, KiB(12));
  }
}

TEST(TieredMemory, WhatIsInFrontOfAnObjectTakesNoRoom) {
  Computer computer(Bytes(3 * page));
  computer.memory->prefer_default(fast_first);
  for (const Bytes alignment : {Bytes(4096), KiB(64), MiB(2), Bytes(4096)}) {
    const Bytes front = alignment, bytes(3 * page);
    const auto memory = computer.memory->reserve(bytes, alignment, front);
    ASSERT_TRUE(memory);
    const auto address = reinterpret_cast<std::uintptr_t>(*memory);
    EXPECT_EQ(address % alignment.value, 0u);
    static_cast<char*>(*memory)[-1] = 1;
    computer.touch(address, 3);
    EXPECT_THAT(computer.where(address, 3), Each(fast));
    computer.memory->release(static_cast<char*>(*memory) - front.value, front + bytes);
    EXPECT_TRUE(computer.memory->reserved().empty());
  }
}

TEST(TieredMemory, NewObjectsAppearInTheFirstTierOfTheDefaultOrder) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(4);
  computer.touch(object, 4);
  EXPECT_THAT(computer.where(object, 4), Each(slow));
}

TEST(TieredMemory, WhatDoesNotFitIntoATierAppearsInTheNext) {
  Computer computer(Bytes(3 * page));
  computer.memory->prefer_default(fast_first);
  const auto object = computer.object(5);
  computer.touch(object, 5);
  EXPECT_THAT(computer.where(object, 5), ElementsAre(fast, fast, fast, slow, slow));
  EXPECT_EQ(computer.memory->room(fast), Bytes(0));
  const auto second = computer.object(1);
  computer.touch(second, 1);
  EXPECT_THAT(computer.where(second, 1), ElementsAre(slow));
}

TEST(TieredMemory, ReleasedObjectsLeaveTheirTiers) {
  Computer computer(Bytes(3 * page));
  computer.memory->prefer_default(fast_first);
  const auto object = computer.object(3);
  computer.memory->release(reinterpret_cast<void*>(object), Bytes(3 * page));
  const auto second = computer.object(3);
  computer.touch(second, 3);
  EXPECT_THAT(computer.where(second, 3), Each(fast));
}

TEST(TieredMemory, PreferencesSpeakOfPagesThatNobodyHasTouched) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(4);
  computer.touch(object, 2);
  ASSERT_TRUE(computer.memory->prefer(object, Bytes(4 * page), fast_first).ok());
  computer.touch(object + 2 * page, 2);
  EXPECT_THAT(computer.where(object, 4), ElementsAre(slow, slow, fast, fast));
}

TEST(TieredMemory, MovesTakeNoMoreThanMayBeUsed) {
  Computer computer(Bytes(3 * page));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(5);
  computer.touch(object, 5);
  EXPECT_THAT(computer.move(object, 5, fast),
              ElementsAre(PageStatus::moved, PageStatus::moved, PageStatus::moved, PageStatus::full, PageStatus::full));
  EXPECT_THAT(computer.move(object, 1, slow), ElementsAre(PageStatus::moved));
  EXPECT_THAT(computer.move(object + 3 * page, 1, fast), ElementsAre(PageStatus::moved));
  EXPECT_THAT(computer.where(object, 5), ElementsAre(slow, fast, fast, fast, slow));
  EXPECT_THAT(computer.move(object + page, 3, fast), Each(PageStatus::already)) << "what is there needs no room";
}

TEST(TieredMemory, RoomIsGivenInTheOrderOfTheCallAndPagesThatAreThereNeedNone) {
  Computer computer(Bytes(3 * page));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(6);
  computer.touch(object, 6);
  ASSERT_THAT(computer.move(object + page, 1, fast), ElementsAre(PageStatus::moved));
  const std::uintptr_t pages[] = {object + 5 * page, object, object + page, object + 2 * page, object + 3 * page};
  std::vector<PageStatus> out(5);
  computer.memory->move(pages, fast, out);
  EXPECT_THAT(
      out, ElementsAre(PageStatus::moved, PageStatus::moved, PageStatus::already, PageStatus::full, PageStatus::full));
  EXPECT_THAT(computer.where(object, 6), ElementsAre(fast, fast, slow, slow, slow, fast));
  computer.memory->bind(object + 5 * page, Bytes(page), true);
  computer.memory->move(pages, slow, out);
  EXPECT_THAT(out, ElementsAre(PageStatus::bound, PageStatus::moved, PageStatus::moved, PageStatus::already,
                               PageStatus::already));
}

TEST(TieredMemory, AnAddressWithinAPageNamesIt) {
  Computer computer(Bytes(2 * page));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(3);
  computer.touch(object, 3);
  const std::uintptr_t pages[] = {object + 8, object + page};
  std::vector<PageStatus> out(2);
  computer.memory->move(pages, fast, out);
  EXPECT_THAT(out, Each(PageStatus::moved));
  EXPECT_THAT(computer.where(object, 3), ElementsAre(fast, fast, slow));
  EXPECT_EQ(computer.memory->room(fast), Bytes(0));
}

TEST(TieredMemory, PagesThatCouldNotMoveTakeNoRoom) {
  Computer computer(Bytes(2 * page));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(4);
  computer.touch(object, 4);
  computer.kernel.pages[object].busy_calls = -1;
  EXPECT_THAT(computer.move(object, 2, fast), ElementsAre(PageStatus::busy, PageStatus::moved));
  EXPECT_THAT(computer.move(object + 2 * page, 2, fast), ElementsAre(PageStatus::moved, PageStatus::full));
}

TEST(TieredMemory, UntouchedPagesArePlacedAndCostNothing) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(3);
  computer.touch(object, 1);
  EXPECT_THAT(computer.move(object, 3, fast), ElementsAre(PageStatus::moved, PageStatus::placed, PageStatus::placed));
  computer.touch(object + page, 2);
  EXPECT_THAT(computer.where(object, 3), Each(fast));
}

TEST(TieredMemory, TheRateOfCopiesIsKnownAfterAMiB) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(512);
  computer.touch(object, 512);
  (void)computer.move(object, 255, fast);
  EXPECT_FALSE(computer.memory->copy_bandwidth(fast));
  (void)computer.move(object, 256, fast);  // one page more
  ASSERT_TRUE(computer.memory->copy_bandwidth(fast));
  EXPECT_GT(computer.memory->copy_bandwidth(fast)->value, 0);
  EXPECT_FALSE(computer.memory->copy_bandwidth(slow)) << "nothing went there";
  EXPECT_FALSE(computer.memory->copy_bandwidth(no_tier));
}

TEST(TieredMemory, PagesGoToTheFastNodeThatIsNearestToTheirThread) {
  Computer computer(MiB(64));
  const auto object = computer.object(4);
  computer.touch(object, 2, 0);
  computer.touch(object + 2 * page, 2, 1);
  ASSERT_THAT(computer.move(object, 4, fast), Each(PageStatus::moved));
  EXPECT_EQ(computer.kernel.pages[object].node, 2);
  EXPECT_EQ(computer.kernel.pages[object + 3 * page].node, 3);
  ASSERT_THAT(computer.move(object, 4, slow), Each(PageStatus::moved));
  EXPECT_EQ(computer.kernel.pages[object].node, 0) << "and back to where they came from";
  EXPECT_EQ(computer.kernel.pages[object + 3 * page].node, 1);
}

TEST(TieredMemory, PagesThatTheKernelMovedByItselfAreCountedWhereTheyAre) {
  Computer computer(Bytes(2 * page));
  computer.memory->prefer_default(fast_first);
  const auto object = computer.object(2);
  computer.touch(object, 2);
  ASSERT_THAT(computer.where(object, 2), Each(fast));
  computer.touch(object, 1, 0);  // demoted
  EXPECT_THAT(computer.where(object, 2), ElementsAre(slow, fast));
  const auto second = computer.object(1);
  computer.touch(second, 1);
  EXPECT_THAT(computer.where(second, 1), ElementsAre(fast)) << "its room is free again";
}

TEST(TieredMemory, ARefusedPlacementIsSaidOnceAndHarmsNobody) {
  Computer computer(MiB(64));
  computer.refusal = Status(StatusCode::unavailable, "mbind failed (Operation not permitted): ...");
  computer.memory->prefer_default(fast_first);
  EXPECT_NE(computer.object(2), 0u);
  const auto object = computer.object(2);
  EXPECT_NE(object, 0u);
  EXPECT_TRUE(computer.memory->prefer(object, Bytes(page), fast_first).ok()) << "the report has it already";
  EXPECT_THAT(computer.memory->remarks(), ElementsAre(HasSubstr("mbind failed")));
}

TEST(TieredMemory, WhereNothingMovesEveryPageSaysSo) {
  Computer computer(MiB(64));
  const auto object = computer.object(2);
  computer.touch(object, 2, 0);
  computer.kernel.refuses = EPERM;
  EXPECT_THAT(computer.move(object, 2, fast), Each(PageStatus::denied));
  EXPECT_THAT(computer.memory->remarks(), ElementsAre(HasSubstr("move_pages is refused")));
}

TEST(TieredMemory, CallsThatFailForATimeAreCounted) {
  Computer computer(MiB(64));
  const auto object = computer.object(2);
  computer.touch(object, 2, 0);
  computer.kernel.refuses = ENOMEM;
  EXPECT_THAT(computer.move(object, 1, fast), Each(PageStatus::denied));
  computer.kernel.refuses = 0;
  EXPECT_THAT(computer.move(object, 2, fast), Each(PageStatus::moved));
  EXPECT_THAT(computer.memory->remarks(),
              ElementsAre(HasSubstr("move_pages failed in 2 calls (Cannot allocate memory)")));
}

TEST(TieredMemory, ObjectsForWhichThereIsNoMemoryAreCounted) {
  Computer computer(MiB(64));
  constexpr Bytes too_much(std::uint64_t{1} << 60);
  EXPECT_FALSE(computer.memory->reserve(too_much, Bytes(page)));
  EXPECT_FALSE(computer.memory->reserve(too_much, Bytes(page)));
  EXPECT_THAT(computer.memory->remarks(),
              ElementsAre(testing::AllOf(HasSubstr("mmap found no memory for 2 managed objects (Cannot allocate"),
                                         HasSubstr("ulimit -v"))));
}

TEST(TieredMemory, TiersThatDoNotExistAreNoTarget) {
  Computer computer(MiB(64));
  EXPECT_THAT(computer.move(computer.object(1), 1, TierId(7)), Each(PageStatus::unmapped));
  EXPECT_EQ(computer.memory->room(TierId(7)), Bytes(0));
}

}  // namespace
}  // namespace lbhm::host
