// Are inputs that are other work told apart, and those that are more of the same not?
#include "runtime/phases/input_kinds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/phases/phases.h"

namespace lbhm {
namespace {

struct Listed {
  const char* site;
  double megabytes;
};

InputShape shape(const std::vector<Listed>& list) {
  std::vector<PhaseObject> objects;
  for (const Listed& each : list)
    objects.push_back({.address = 0x1000 * (objects.size() + 1),
                       .bytes = Bytes(static_cast<std::uint64_t>(each.megabytes * 1024 * 1024)),
                       .site = site_of_name(each.site)});
  return InputShape(objects);
}

/// Each input comes as often as a kind needs.
std::vector<std::size_t> kinds_of(const std::vector<std::vector<Listed>>& inputs) {
  InputKinds kinds;
  std::vector<std::size_t> numbers;
  for (const auto& input : inputs) {
    for (std::size_t again = 1; again < InputKinds::inputs_a_kind; ++again) kinds.kind_of(shape(input));
    numbers.push_back(kinds.kind_of(shape(input)));
  }
  return numbers;
}

using Kinds = std::vector<std::size_t>;

TEST(InputKinds, MoreOfTheSameIsOneKind) {
  EXPECT_EQ(kinds_of({{{"A", 1}, {"B", 2}}, {{"A", 100}, {"B", 200}}, {{"A", 0.1}, {"B", 0.2}}}), (Kinds{0, 0, 0}));
}

TEST(InputKinds, AProductThatGrowsWithTheSquareIsOneKindUpToFourfoldInputs) {
  EXPECT_EQ(kinds_of({{{"A", 1}, {"C", 1}}, {{"A", 4}, {"C", 16}}, {{"A", 0.25}, {"C", 1.0 / 16}}}), (Kinds{0, 0, 0}));
}

TEST(InputKinds, ObjectsThatStandToEachOtherQuiteOtherwiseAreAnotherKind) {
  const std::vector<Listed> ladder{{"X", 1}, {"Y", 17}}, ring{{"X", 1}, {"Y", 1.5}};
  EXPECT_EQ(kinds_of({ladder, ring, {{"X", 2}, {"Y", 30}}, {{"X", 3}, {"Y", 3}}, ring}), (Kinds{0, 1, 0, 1, 1}));
}

TEST(InputKinds, WorkDealtAnewIsNoOtherKind) {
  EXPECT_EQ(kinds_of({{{"lane", 10}, {"lane", 0.1}, {"all", 5}}, {{"lane", 0.1}, {"lane", 10}, {"all", 5}}}),
            (Kinds{0, 0}));
}

TEST(InputKinds, ManyObjectsInPlaceOfFewAreAnotherKind) {
  std::vector<Listed> many(8, {"box", 1});
  EXPECT_EQ(kinds_of({{{"box", 8}}, many}), (Kinds{0, 1}));
}

TEST(InputKinds, SmallObjectsDecideNothing) {
  EXPECT_EQ(kinds_of({{{"A", 1}, {"options", 0.0001}}, {{"A", 1}, {"options", 0.05}}}), (Kinds{0, 0}));
}

TEST(InputKinds, AVectorThatGrewElsewherePlaysThePartOfTheOneAtItsPlace) {
  EXPECT_EQ(kinds_of({{{"made", 1}, {"made", 1}, {"field", 1}}, {{"grown", 2}, {"made", 1}, {"field", 1}}}),
            (Kinds{0, 0}));
}

TEST(InputKinds, InputsThatNeverRecurAreFewKinds) {
  InputKinds kinds;
  for (std::size_t n = 0; n < 16; ++n)
    EXPECT_LE(kinds.kind_of(shape({{"A", 1}, {"B", std::pow(5, n % 7)}})), n / InputKinds::inputs_a_kind);
}

TEST(InputKinds, OnlySoManyAreTold) {
  InputKinds kinds;
  for (std::size_t n = 0; n < 100; ++n)
    EXPECT_LT(kinds.kind_of(shape({{"A", 1}, {"B", std::pow(1.3, n % 70)}})), InputKinds::most_kinds);
}

}  // namespace
}  // namespace lbhm
