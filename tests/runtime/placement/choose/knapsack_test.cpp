// Is a packing the best one, and is it found soon?
#include <gtest/gtest.h>

#include <random>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {
namespace {

double best_by_force(const std::vector<Item>& items, std::uint64_t capacity) {
  double best = 0;
  for (std::uint32_t set = 0; set < 1u << items.size(); ++set) {
    std::uint64_t weight = 0;
    double value = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      weight += items[i].weight;
      value += items[i].value;
    }
    if (weight <= capacity) best = std::max(best, value);
  }
  return best;
}

std::uint64_t weight_of(const std::vector<Item>& items, const Packed& packed) {
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < items.size(); ++i) weight += packed.taken[i] ? items[i].weight : 0;
  return weight;
}

/// `kind`: values that have nothing to do with weights; that grow with them; equal per weight.
std::vector<Item> random_items(std::mt19937_64& random, std::size_t count, int kind, std::uint64_t largest) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t weight = 1 + random() % largest;
    const auto free = static_cast<double>(random() % (largest * 2)) - static_cast<double>(largest) / 4;
    items.push_back({weight, kind == 0 ? free : static_cast<double>(weight + (kind == 1 ? largest / 10 : 0))});
  }
  return items;
}

TEST(KnapsackTest, EqualsBruteForce) {
  std::mt19937_64 random(7);
  for (int instance = 0; instance < 300; ++instance) {
    const auto items = random_items(random, 1 + random() % 16, instance % 3, 3 + random() % 100);
    std::uint64_t all = 0;
    for (const Item& item : items) all += item.weight;
    const std::uint64_t capacity = random() % (all + 10);
    const Packed packed = knapsack(items, capacity);
    EXPECT_NEAR(packed.value, best_by_force(items, capacity), 1e-9) << "instance " << instance;
    EXPECT_LE(weight_of(items, packed), capacity);
    EXPECT_EQ(packed.bound, packed.value);
  }
}

TEST(KnapsackTest, AThousandItemsAreSolvedExactlyOrNearlySo) {
  std::mt19937_64 random(11);
  for (int kind = 0; kind < 3; ++kind) {
    const auto items = random_items(random, 1000, kind, 100'000);
    const Packed packed = knapsack(items, 20'000'000);
    EXPECT_GT(packed.value, 0);
    // Of the second kind some are too hard for any bound.
    EXPECT_LE(packed.bound - packed.value, kind == 1 ? 1e-3 * packed.value : 0);
  }
}

TEST(KnapsackTest, WhatIsWorthNothingStaysOut) {
  const Packed packed = knapsack(std::vector<Item>{{1, 0}, {1, -3}, {1, 2}}, 10);
  EXPECT_EQ(packed.taken, (std::vector<bool>{false, false, true}));
}

TEST(KnapsackTest, NothingFitsIntoNothingButWhatHasNoWeight) {
  EXPECT_EQ(knapsack(std::vector<Item>{{1, 5}, {0, 1}}, 0).taken, (std::vector<bool>{false, true}));
  EXPECT_EQ(knapsack(std::vector<Item>{}, 5).value, 0);
}

TEST(KnapsackTest, WhatIsNotProvenIsSaid) {
  std::mt19937_64 random(3);
  const auto items = random_items(random, 200, 1, 1'000'000);
  const Packed packed = knapsack(items, 30'000'001, 50);
  EXPECT_GE(packed.bound, packed.value);
  EXPECT_LE(weight_of(items, packed), 30'000'001u);
  EXPECT_GE(packed.bound, knapsack(items, 30'000'001).value);
}

}  // namespace
}  // namespace lbhm::choose
