// The registry with one thread: edges of ranges, refusals, and agreement with a plain list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/runtime/objects/object_at.h"

namespace lbhm {
namespace {

using testing::HasSubstr;

TEST(ObjectRegistry, FindsEveryByteOfAnObjectAndNoOther) {
  ObjectRegistry registry;
  const auto id = registry.add(object_at(1000, Bytes(100), "a", true));
  ASSERT_TRUE(id.has_value());
  EXPECT_FALSE(registry.find(999));
  EXPECT_FALSE(registry.find(1100));
  for (std::uintptr_t address : {1000, 1050, 1099}) {
    const auto found = registry.find(address);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->id, id->id);
    EXPECT_EQ(found->address, 1000u);
    EXPECT_EQ(found->bytes, Bytes(100));
    EXPECT_EQ(found->name, "a");
    EXPECT_TRUE(found->migratable);
  }
}

TEST(ObjectRegistry, RemoveForgetsByFirstAddressOnly) {
  ObjectRegistry registry;
  ASSERT_TRUE(registry.add(object_at(1000, Bytes(100), "a", false)));
  EXPECT_FALSE(registry.remove(1001));
  const auto removed = registry.remove(1000);
  ASSERT_TRUE(removed.has_value());
  EXPECT_EQ(removed->name, "a");
  EXPECT_FALSE(removed->migratable);
  EXPECT_FALSE(registry.find(1000));
  EXPECT_FALSE(registry.remove(1000));
}

TEST(ObjectRegistry, IdsAreNeverUsedAgain) {
  ObjectRegistry registry;
  const auto first = registry.add(object_at(1000, Bytes(1), "", true));
  ASSERT_TRUE(first && registry.remove(1000));
  const auto second = registry.add(object_at(1000, Bytes(1), "", true));
  ASSERT_TRUE(second);
  EXPECT_NE(first->id.value, second->id.value);
  EXPECT_NE(first->id.value, ObjectId().value);
}

TEST(ObjectRegistry, RefusesEmptyAndOverlappingRanges) {
  ObjectRegistry registry;
  ASSERT_TRUE(registry.add(object_at(1000, Bytes(100), "", true)));
  EXPECT_EQ(registry.add(object_at(2000, Bytes(0), "", true)).error().code(), StatusCode::invalid_argument);
  EXPECT_EQ(registry.add(object_at(~std::uintptr_t{0}, Bytes(2), "", true)).error().code(),
            StatusCode::invalid_argument);
  struct Range {
    std::uintptr_t address;
    std::uint64_t bytes;
  };
  for (Range r : {Range{1000, 100}, Range{900, 101}, Range{1099, 1}, Range{1010, 5}, Range{900, 1000}}) {
    const auto refused = registry.add(object_at(r.address, Bytes(r.bytes), "", true));
    ASSERT_FALSE(refused.has_value()) << r.address;
    EXPECT_EQ(refused.error().code(), StatusCode::invalid_argument);
    EXPECT_THAT(refused.error().message(), HasSubstr("overlaps the object at 0x3e8 of 100 bytes"));
  }
  EXPECT_EQ(registry.all().size(), 1u);
  EXPECT_TRUE(registry.add(object_at(900, Bytes(100), "", true)));
  EXPECT_TRUE(registry.add(object_at(1100, Bytes(1), "", true)));
  EXPECT_TRUE(registry.add(object_at(~std::uintptr_t{1}, Bytes(1), "", true)));
  EXPECT_TRUE(registry.find(~std::uintptr_t{1}));
  EXPECT_FALSE(registry.add(object_at(~std::uintptr_t{0}, Bytes(1), "", true))) << "of whose end there is no address";
}

TEST(ObjectRegistry, PropertyAgreesWithAPlainList) {
  std::mt19937_64 random(4);
  ObjectRegistry registry;
  std::vector<Object> list;
  for (int step = 0; step < 20000; ++step) {
    const std::uintptr_t address = random() % 4000;
    const auto holds = [&](const Object& o) { return address >= o.address && address < o.address + o.bytes.value; };
    switch (random() % 3) {
      case 0: {
        const Bytes bytes(random() % 60);
        const bool free = bytes.value > 0 && std::none_of(list.begin(), list.end(), [&](const Object& o) {
                            return o.address < address + bytes.value && address < o.address + o.bytes.value;
                          });
        const auto id = registry.add(object_at(address, bytes, "", true));
        ASSERT_EQ(id.has_value(), free);
        if (free) list.push_back(*id);
        break;
      }
      case 1: {
        const auto it = std::find_if(list.begin(), list.end(), [&](const Object& o) { return o.address == address; });
        ASSERT_EQ(registry.remove(address).has_value(), it != list.end());
        if (it != list.end()) list.erase(it);
        break;
      }
      default: {
        const auto it = std::find_if(list.begin(), list.end(), holds);
        const auto found = registry.find(address);
        ASSERT_EQ(found.has_value(), it != list.end());
        if (found) ASSERT_EQ(found->id, it->id);
      }
    }
  }
  const auto all = registry.all();
  EXPECT_EQ(all.size(), list.size());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](auto& a, auto& b) { return a.address < b.address; }));
}

TEST(ObjectRegistry, LanesThatRaceNumberTheirObjectsByThemselves) {
  const auto numbers = [](std::initializer_list<std::uint32_t> order) {
    ObjectRegistry registry;
    std::map<std::uint32_t, std::vector<std::pair<ObjectId, std::uint64_t>>> of_lane;
    std::uintptr_t address = 4096;
    for (const std::uint32_t lane : order) {
      Object object = object_at(address += 4096, Bytes(100), "", true);
      object.racing_lane = lane;
      const auto added = registry.add(object);
      of_lane[lane].emplace_back(added->id, added->nth);
    }
    return of_lane;
  };
  EXPECT_EQ(numbers({1, 2, 1, 2, 3}), numbers({3, 2, 2, 1, 1}));
  EXPECT_EQ(numbers({2, 2})[2][1].second, (std::uint64_t{2} << 32) + 1);
}

TEST(ObjectRegistry, WhatTakesThePlaceOfAnObjectKeepsItsNumber) {
  ObjectRegistry registry;
  (void)registry.add(object_at(4096, Bytes(100), "", true));
  const auto second = registry.add(object_at(8192, Bytes(100), "", true));
  registry.remove(8192);
  EXPECT_EQ(registry.add(object_at(8292, Bytes(50), "", true), second->nth)->nth, 1u);
  EXPECT_EQ(registry.add(object_at(9000, Bytes(50), "", true))->nth, 2u);
  EXPECT_EQ(registry.find_any(8000, Bytes(300))->address, 8292u);
  EXPECT_FALSE(registry.find_any(8000, Bytes(292)));
  EXPECT_FALSE(registry.find_any(8300, Bytes(0)));
}

}  // namespace
}  // namespace lbhm
