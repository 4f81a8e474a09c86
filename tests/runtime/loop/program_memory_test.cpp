// Mappings of which the program takes parts away: what is left of the objects?
#include <gtest/gtest.h>

#include "runtime/loop/managed_memory.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

constexpr Bytes page{4096};

using fake::FakeMachine;

class ProgramMemory : public testing::Test {
 protected:
  ProgramMemory()
      : machine({16, 1000}),
        policy(*make_policy("first-touch")),
        strategy(*make_allocation_strategy("traits")),
        actor(machine, {TierId(0), TierId(1)}, std::nullopt),
        memory(machine, objects, *policy, *strategy, actor, {.minimum = KiB(64), .placing = true}) {}

  std::uintptr_t mapped(std::uint64_t pages) {
    return reinterpret_cast<std::uintptr_t>(memory.map_object(page * pages));
  }
  void end(std::uintptr_t address, std::uint64_t pages) {
    memory.end_objects(reinterpret_cast<void*>(address), page * pages);
  }
  /// Address from `begin` and size of each object, in pages, and which of its site it is.
  std::vector<std::array<std::uint64_t, 3>> left(std::uintptr_t begin) const {
    std::vector<std::array<std::uint64_t, 3>> parts;
    for (const Object& object : objects.all())
      parts.push_back({(object.address - begin) / page.value, object.bytes.value / page.value, object.nth});
    return parts;
  }

  using Parts = std::vector<std::array<std::uint64_t, 3>>;
  FakeMachine machine;
  std::unique_ptr<Policy> policy;
  std::unique_ptr<AllocationStrategy> strategy;
  ObjectRegistry objects;
  Actor actor;
  ManagedMemory memory;
};

TEST_F(ProgramMemory, AMappingIsAnObjectUntilItIsUnmapped) {
  const std::uintptr_t address = mapped(20);
  EXPECT_EQ(left(address), (Parts{{0, 20, 0}}));
  EXPECT_FALSE(memory.release_mapping(reinterpret_cast<void*>(address), page * std::uint64_t{19}));
  EXPECT_TRUE(memory.release_mapping(reinterpret_cast<void*>(address), page * std::uint64_t{20}));
  EXPECT_TRUE(left(address).empty());
}

TEST_F(ProgramMemory, WhatIsLeftGoesOn) {
  const std::uintptr_t address = mapped(20);
  end(address, 2);
  EXPECT_EQ(left(address), (Parts{{2, 18, 0}}));
  end(address + 15 * page.value, 100);
  EXPECT_EQ(left(address), (Parts{{2, 13, 0}}));
  end(address + 5 * page.value, 4);
  EXPECT_EQ(left(address), (Parts{{2, 3, 0}, {9, 6, 1}})) << "two objects of one site";
  end(address, 20);
  EXPECT_TRUE(left(address).empty());
}

TEST_F(ProgramMemory, NothingHappensWhereThereIsNoObject) {
  const std::uintptr_t address = mapped(20);
  end(address + 20 * page.value, 5);
  end(~std::uintptr_t{0} - 4095, 5);
  end(address, 0);
  EXPECT_EQ(left(address), (Parts{{0, 20, 0}}));
}

}  // namespace
}  // namespace lbhm
