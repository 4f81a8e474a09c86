// Does the account know at every time which tier holds how much?
#include "runtime/host/tier_account.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lbhm::host {
namespace {

TEST(TierAccount, LaterAssignmentsReplaceEarlierOnes) {
  TierAccount account;
  account.assign(100, 200, TierId(0));
  account.assign(150, 250, TierId(1));
  EXPECT_EQ(account.held(TierId(0)), Bytes(50));
  EXPECT_EQ(account.held(TierId(1)), Bytes(100));
  EXPECT_EQ(account.at(149), TierId(0));
  EXPECT_EQ(account.at(150), TierId(1));
  EXPECT_EQ(account.at(250), no_tier);
  account.assign(0, 1000, no_tier);
  EXPECT_EQ(account.held(TierId(0)), Bytes(0));
  EXPECT_EQ(account.held(TierId(1)), Bytes(0));
}

TEST(TierAccount, KnowsHowMuchOfARangeATierHas) {
  TierAccount account;
  account.assign(100, 200, TierId(0));
  account.assign(200, 300, TierId(1));
  account.assign(300, 400, TierId(0));
  EXPECT_EQ(account.held(150, 350, TierId(0)), Bytes(100));
  EXPECT_EQ(account.held(150, 350, TierId(1)), Bytes(100));
  EXPECT_EQ(account.held(0, 100, TierId(0)), Bytes(0));
  EXPECT_EQ(account.held(399, 1000, TierId(0)), Bytes(1));
}

TEST(TierAccount, AgreesWithOneEntryAByte) {
  TierAccount account;
  std::vector<TierId> bytes(512, no_tier);
  std::mt19937 random(7);
  for (int step = 0; step < 5000; ++step) {
    std::uintptr_t begin = random() % bytes.size(), end = random() % bytes.size();
    if (begin > end) std::swap(begin, end);
    const unsigned drawn = random() % 4;
    const TierId tier = drawn == 3 ? no_tier : TierId(static_cast<std::uint8_t>(drawn));
    account.assign(begin, end, tier);
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(end),
              tier);
    for (std::uint8_t t = 0; t < 3; ++t)
      ASSERT_EQ(account.held(TierId(t)).value, static_cast<std::uint64_t>(std::ranges::count(bytes, TierId(t))))
          << step;
    const std::uintptr_t somewhere = random() % bytes.size();
    ASSERT_EQ(account.at(somewhere), bytes[somewhere]) << step;
  }
}

}  // namespace
}  // namespace lbhm::host
