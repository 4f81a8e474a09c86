// How much longer a task takes on objects of other sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/model.h"

namespace lbhm {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

/// A phase whose n-th lane accesses the n-th list of slots, each on two pages.
PhaseProfile profile_of(std::vector<Bytes> sizes, const std::vector<std::vector<std::uint32_t>>& used) {
  PhaseProfile profile{.tasks = {}, .object_bytes = std::move(sizes), .time = Nanoseconds(100)};
  for (std::uint32_t lane = 0; lane < used.size(); ++lane) {
    TaskProfile task;
    task.lane = LaneId(lane);
    for (const std::uint32_t slot : used[lane]) {
      task.pages.push_back({ObjectSlot(slot), PageIndex(0), AccessCount(5)});
      task.pages.push_back({ObjectSlot(slot), PageIndex(1), AccessCount(1)});
    }
    profile.tasks.push_back(std::move(task));
  }
  return profile;
}

std::vector<double> scales(const PhaseProfile& profile, std::vector<Bytes> now) { return input_scales(profile, now); }

auto near(double value) { return DoubleNear(value, 1e-12); }

TEST(InputScale, EachTaskGrowsAsItsOwnObjects) {
  const auto profile = profile_of({KiB(10), KiB(10)}, {{0}, {1}});
  EXPECT_THAT(scales(profile, {KiB(30), KiB(5)}), ElementsAre(near(3), near(0.5)));
}

TEST(InputScale, SeveralOwnObjectsCountByTheirGeometricMean) {
  // Twice and eight times: four times, however large either is.
  const auto profile = profile_of({KiB(1), MiB(100)}, {{0, 1}});
  EXPECT_THAT(scales(profile, {KiB(2), MiB(800)}), ElementsAre(near(4)));
  EXPECT_THAT(scales(profile, {KiB(8), MiB(200)}), ElementsAre(near(4)));
  EXPECT_THAT(scales(profile, {KiB(4), MiB(25)}), ElementsAre(near(1)));
}

TEST(InputScale, SharedObjectsDoNotCountBesideOwnOnes) {
  // Slot 2 is shared and grows tenfold; slots 0 and 1 say how the work was divided.
  const auto profile = profile_of({KiB(10), KiB(10), KiB(10)}, {{0, 2}, {1, 2}});
  EXPECT_THAT(scales(profile, {KiB(20), KiB(40), KiB(100)}), ElementsAre(near(2), near(4)));
}

TEST(InputScale, WithSharedObjectsOnlyTheyCount) {
  const auto profile = profile_of({KiB(10), KiB(10)}, {{0, 1}, {0, 1}});
  EXPECT_THAT(scales(profile, {KiB(20), KiB(80)}), ElementsAre(near(4), near(4)));
}

TEST(InputScale, SharedObjectsStandInForOwnOnesOfUnchangedSize) {
  const auto profile = profile_of({KiB(10), KiB(10), KiB(10)}, {{0, 2}, {1, 2}});
  EXPECT_THAT(scales(profile, {KiB(10), KiB(20), KiB(30)}), ElementsAre(near(3), near(2)));
}

TEST(InputScale, AnObjectThatKeepsItsSizeSaysNothing) {
  // The fixed table of slot 1 must not halve (on a logarithmic scale) the growth that slot 0 shows.
  const auto profile = profile_of({KiB(10), KiB(10)}, {{0, 1}});
  EXPECT_THAT(scales(profile, {KiB(90), KiB(10)}), ElementsAre(near(9)));
}

TEST(InputScale, ObjectsOfOthersDoNotCount) {
  const auto profile = profile_of({KiB(10), KiB(10), KiB(10)}, {{0}, {1}});
  EXPECT_THAT(scales(profile, {KiB(10), KiB(70), KiB(50)}), ElementsAre(near(1), near(7)));
}

TEST(InputScale, NothingChanged) {
  const auto profile = profile_of({KiB(10), KiB(20)}, {{0, 1}, {1}, {}});
  EXPECT_THAT(scales(profile, {KiB(10), KiB(20)}), ElementsAre(1, 1, 1));
}

TEST(InputScale, SizesOfZeroSayNothing) {
  const auto profile = profile_of({KiB(10), Bytes(0), KiB(10)}, {{0, 1, 2}});
  EXPECT_THAT(scales(profile, {KiB(20), KiB(90), Bytes(0)}), ElementsAre(near(2)));
  EXPECT_THAT(scales(profile, {Bytes(0), Bytes(0), Bytes(0)}), ElementsAre(1));
}

TEST(InputScale, OnlySlotsOfBothInstancesCount) {
  const auto profile = profile_of({KiB(10), KiB(10)}, {{0}, {1}});
  EXPECT_THAT(scales(profile, {KiB(20)}), ElementsAre(near(2), 1));
  EXPECT_THAT(scales(profile, {KiB(20), KiB(30), KiB(900)}), ElementsAre(near(2), near(3)));
  EXPECT_THAT(scales(profile, {}), ElementsAre(1, 1));
  // Pages of a slot that the base instance had no size for.
  EXPECT_THAT(scales(profile_of({KiB(10)}, {{0, 5}}), {KiB(20)}), ElementsAre(near(2)));
}

TEST(InputScale, WithoutTasksThereIsNothingToScale) {
  EXPECT_THAT(scales(profile_of({KiB(10)}, {}), {KiB(20)}), IsEmpty());
}

TEST(InputScale, ExtremeSizesStayFinite) {
  const Bytes most(std::numeric_limits<std::uint64_t>::max());
  const auto profile = profile_of({Bytes(1), Bytes(1), most}, {{0, 1}, {2}});
  for (const double scale : scales(profile, {most, most, Bytes(1)})) {
    EXPECT_TRUE(std::isfinite(scale));
    EXPECT_GT(scale, 0);
  }
}

}  // namespace
}  // namespace lbhm
