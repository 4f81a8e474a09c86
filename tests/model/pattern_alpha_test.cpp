// Does Eq. 1 with alpha from an object's patterns give the accesses that the patterns make?
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/model.h"
#include "tests/model/any_number.h"

namespace lbhm {
namespace {

constexpr Bytes line(64);
const StencilTable nothing_measured;

constexpr AccessPattern stream{.kind = PatternKind::stream, .element = Bytes(4), .stride = 4};
constexpr AccessPattern fixed{.kind = PatternKind::fixed};
constexpr AccessPattern gather{.kind = PatternKind::gather};

AccessPattern strided(std::int64_t stride) {
  return {.kind = PatternKind::strided, .element = Bytes(8), .stride = stride};
}

AccessPattern stencil(std::uint32_t dimensions, std::uint32_t points) {
  return {.kind = PatternKind::stencil, .element = Bytes(8), .dimensions = dimensions, .points = points};
}

/// What Eq. 1 makes of 1000 profiled accesses.
double estimated(const AccessPattern& pattern, Bytes base, Bytes now, const StencilTable& stencils = nothing_measured) {
  return estimated_accesses(AccessCount(1000), base, now, alpha(pattern, base, now, line, stencils)).value;
}

TEST(PatternAlpha, ThePapersExampleOfAStream) {
  // Section 4: 128 bytes of integers cause 2 accesses, 192 cause 3; alpha is 1.
  EXPECT_DOUBLE_EQ(alpha(stream, Bytes(128), Bytes(192), line, nothing_measured), 1);
}

TEST(PatternAlpha, SizesAreRoundedUpToLines) {
  // 100 bytes are 2 lines, 130 are 3: half as much again, though the size grew by 30 % only.
  EXPECT_DOUBLE_EQ(estimated(stream, Bytes(100), Bytes(130)), 1500);
  EXPECT_DOUBLE_EQ(estimated(stream, Bytes(65), Bytes(128)), 1000);
}

TEST(PatternAlpha, AStrideTouchesLinesNotElements) {
  // One element every 96 bytes: 2 of 3 lines. 10 lines hold 7 elements (0, 96, ... 576) in 7 lines, 3 hold 2.
  EXPECT_DOUBLE_EQ(estimated(strided(96), Bytes(192), Bytes(640)), 1000.0 * 7 / 2);
  EXPECT_DOUBLE_EQ(estimated(strided(-96), Bytes(192), Bytes(640)), 1000.0 * 7 / 2);
  EXPECT_DOUBLE_EQ(estimated(strided(4096), KiB(4), KiB(64)), 16000);
  EXPECT_DOUBLE_EQ(estimated(strided(4096), KiB(4), Bytes(4096 + 64)), 2000);
}

TEST(PatternAlpha, OnePlaceIsOneAccessWhateverTheSize) { EXPECT_DOUBLE_EQ(estimated(fixed, KiB(4), MiB(4)), 1000); }

TEST(PatternAlpha, WhatOnlyRefinementCanTellIsOne) {
  for (const PatternKind kind : {PatternKind::gather, PatternKind::scatter, PatternKind::chase, PatternKind::unknown}) {
    EXPECT_EQ(alpha({.kind = kind}, KiB(4), KiB(40), line, nothing_measured), 1);
  }
  const StencilTable measured{{{2, 5, Bytes(8), KiB(4), 0.1}, {2, 5, Bytes(8), KiB(400), 0.2}}};
  AccessPattern dependent = stencil(2, 5);
  dependent.input_dependent = true;
  EXPECT_EQ(alpha(dependent, KiB(4), KiB(400), line, measured), 1);
  EXPECT_EQ(alpha(stencil(2, 5), KiB(4), KiB(400), line, nothing_measured), 1);
  EXPECT_EQ(alpha(stencil(3, 7), KiB(4), KiB(400), line, measured), 1);
}

TEST(PatternAlpha, StencilsAsMeasured) {
  // The cache holds two rows of the small grid, so each element is fetched once; of the large one, three times.
  const StencilTable measured{{{2, 5, Bytes(8), MiB(1), 0.125}, {2, 5, Bytes(8), MiB(16), 0.375}}};
  EXPECT_DOUBLE_EQ(estimated(stencil(2, 5), MiB(1), MiB(16), measured), 1000 * 16 * 3);
  EXPECT_DOUBLE_EQ(estimated(stencil(2, 5), MiB(16), MiB(1), measured), 1000 / 16.0 / 3);
  // Half way on the logarithmic scale.
  EXPECT_DOUBLE_EQ(estimated(stencil(2, 5), MiB(1), MiB(4), measured), 1000 * 4 * 2);
  // Beyond what was measured nothing changes any more.
  EXPECT_DOUBLE_EQ(estimated(stencil(2, 5), MiB(16), MiB(64), measured), 1000 * 4);
}

TEST(PatternAlpha, AStencilThatWasNotMeasuredIsLikeTheNearestOfItsDimensions) {
  const StencilTable measured{{{2, 5, Bytes(8), MiB(1), 1},
                               {2, 5, Bytes(8), MiB(2), 2},
                               {2, 25, Bytes(8), MiB(1), 1},
                               {2, 25, Bytes(8), MiB(2), 3},
                               {2, 5, Bytes(4), MiB(1), 1},
                               {2, 5, Bytes(4), MiB(2), 4}}};
  EXPECT_DOUBLE_EQ(estimated(stencil(2, 7), MiB(1), MiB(2), measured), 4000);
  EXPECT_DOUBLE_EQ(estimated(stencil(2, 21), MiB(1), MiB(2), measured), 6000);
  AccessPattern floats = stencil(2, 6);
  floats.element = Bytes(4);
  EXPECT_DOUBLE_EQ(estimated(floats, MiB(1), MiB(2), measured), 8000);
}

TEST(PatternAlpha, RowsThatMeanNothingAreLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const StencilTable measured{
      {{2, 5, Bytes(8), MiB(1), nan}, {2, 5, Bytes(8), Bytes(0), 1}, {2, 5, Bytes(8), MiB(2), 0}}};
  EXPECT_FALSE(measured.accesses_per_element(stencil(2, 5), MiB(1)));
}

TEST(PatternAlpha, OfSeveralPatternsTheWeightsAdd) {
  // Half of the accesses stay (fixed), half double (stream): 1.5 times as many.
  AccessPattern both[] = {fixed, stream};
  both[0].weight = both[1].weight = 0.5;
  const double a = alpha(both, KiB(4), KiB(8), line, nothing_measured);
  EXPECT_DOUBLE_EQ(estimated_accesses(AccessCount(1000), KiB(4), KiB(8), a).value, 1500);
  both[0].weight = 3, both[1].weight = 1;  // need not be shares
  EXPECT_DOUBLE_EQ(2 / alpha(both, KiB(4), KiB(8), line, nothing_measured), 1.25);
}

TEST(PatternAlpha, WithoutPatternsItIsOne) {
  EXPECT_EQ(alpha(std::span<const AccessPattern>{}, KiB(4), KiB(8), line, nothing_measured), 1);
  const AccessPattern weightless[] = {{.kind = PatternKind::fixed, .weight = 0}};
  EXPECT_EQ(alpha(weightless, KiB(4), KiB(8), line, nothing_measured), 1);
}

TEST(PatternAlpha, AlwaysAPositiveNumber) {
  AnyNumber any(4);
  const StencilTable measured{{{2, 5, Bytes(8), KiB(4), 0.1}, {2, 5, Bytes(8), MiB(4), 0.2}}};
  const auto size = [&] { return Bytes(static_cast<std::uint64_t>(std::max(0.0, std::min(any(1e9), 1e18)))); };
  for (int i = 0; i < 2000; ++i) {
    AccessPattern pattern{.kind = static_cast<PatternKind>(i % 8), .element = size(), .dimensions = 2, .points = 5};
    pattern.stride = i % 3 == 0 ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(size().value);
    pattern.weight = any(2);
    const double a = alpha({{pattern, gather}}, size(), size(), i % 5 == 0 ? Bytes(0) : line, measured);
    ASSERT_TRUE(std::isfinite(a) && a > 0) << a;
  }
}

}  // namespace
}  // namespace lbhm
