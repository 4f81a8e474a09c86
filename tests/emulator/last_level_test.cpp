#include "emulator/parts/last_level.h"

#include <gtest/gtest.h>

#include <vector>

#include "emulator/memory/llc_shares.h"

namespace lbhm::emulator {
namespace {

constexpr CacheShape shape{.sets = 4, .ways = 4};
constexpr auto nothing = [](LineId) {};

std::uint64_t held(LastLevel& cache, LineId first, LineId count) {
  std::uint64_t lines = 0;
  for (LineId line = first; line < first + count; ++line) lines += cache.contains(line) ? 1 : 0;
  return lines;
}

TEST(LastLevel, HoldsNoMoreThanItsShare) {
  LastLevel cache(shape);
  cache.set_share(6);  // one line a set, two in the first two
  for (LineId line = 64; line < 128; ++line) cache.access(line, nothing);
  EXPECT_EQ(held(cache, 64, 64), 6u);
}

TEST(LastLevel, AShareThatShrinksIsGivenUpByAndBy) {
  LastLevel cache(shape);
  for (LineId line = 64; line < 80; ++line) cache.access(line, nothing);
  for (LineId line = 64; line < 80; ++line) cache.mark_dirty(line);
  cache.set_share(4);
  EXPECT_EQ(held(cache, 64, 16), 16u) << "lines stay until others need the room";
  std::vector<LineId> written;
  const auto note = [&](LineId line) { written.push_back(line); };
  for (int i = 0; i < 3; ++i) cache.access(static_cast<LineId>(128 + 4 * i), note);
  EXPECT_EQ(written.size(), 4u) << "no dirty line of the set is lost";
  EXPECT_EQ(held(cache, 128, 16), 1u);
}

TEST(LastLevel, SetsNeedNotBeAPowerOfTwo) {
  LastLevel cache({.sets = 3, .ways = 2});
  for (LineId line = 66; line < 72; ++line) cache.access(line, nothing);
  EXPECT_EQ(held(cache, 66, 6), 6u);
}

TEST(LlcShares, WhoIsAloneHasAllOfIt) {
  LlcShares shares(1000);
  EXPECT_EQ(shares.lines(7), 1000u);
  shares.use(7, 50);
  shares.divide();
  EXPECT_EQ(shares.lines(7), 1000u);
}

TEST(LlcShares, SharesFollowTheUsesOfTheLastQuanta) {
  LlcShares shares(1000);
  shares.use(0, 30);
  shares.use(1, 10);
  shares.divide();
  EXPECT_EQ(shares.lines(0), 750u);
  EXPECT_EQ(shares.lines(1), 250u);
  for (int quantum = 0; quantum < 40; ++quantum) {
    shares.use(1, 10);
    shares.divide();
  }
  EXPECT_EQ(shares.lines(0), 0u);
  EXPECT_EQ(shares.lines(1), 1000u);
}

}  // namespace
}  // namespace lbhm::emulator
