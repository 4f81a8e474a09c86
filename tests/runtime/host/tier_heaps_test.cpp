// Are small objects promised to the tier that they name, and what becomes of them where that cannot be?
#include "runtime/host/tier_heaps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr TierId fast(0), slow(1);

/// Two tiers of a node each; where memory would appear is written down instead of told to the kernel.
struct Computer {
  explicit Computer(const std::string& root = "/nowhere") {
    TieredMemoryOptions options;
    options.root = root;
    options.nodes = {{.id = 0, .has_cpus = true, .distances = {{0, 10}, {1, 20}}},
                     {.id = 1, .distances = {{0, 20}, {1, 10}}}};
    options.tiers = {{.nodes = {1}, .tier = {}}, {.nodes = {0}, .tier = {}}};
    options.tiers[0].tier.capacity = MiB(64);
    std::string why;
    options.ledger = Ledger::open("", "", why);
    ledger = options.ledger.get();
    options.place = [this](std::uintptr_t address, Bytes bytes, std::span<const int> nodes, Spread) {
      promised[nodes.front()][address] = bytes;
      return Status();
    };
    memory = std::make_unique<TieredMemory>(std::move(options));
  }
  /// Of the ranges promised to this node.
  bool promised_to(int node, const void* block) {
    const auto at = reinterpret_cast<std::uintptr_t>(block);
    for (const auto& [begin, bytes] : promised[node])
      if (at >= begin && at < begin + bytes.value) return true;
    return false;
  }

  std::map<int, std::map<std::uintptr_t, Bytes>> promised;  ///< by node and address
  Ledger* ledger = nullptr;
  std::unique_ptr<TieredMemory> memory;
};

std::deque<char*>& memories() {
  static std::deque<char*> all;
  return all;
}

/// Hands out the memory from its beginning, once.
constexpr HeapModule simple{.add = [](void* memory, std::size_t) -> int {
                              memories().push_back(static_cast<char*>(memory));
                              return static_cast<int>(memories().size()) - 1;
                            },
                            .thread_heap = [](int memory) { return static_cast<void*>(&memories()[memory]); },
                            .allocate = [](void* heap, std::size_t bytes) -> void* {
                              return std::exchange(*static_cast<char**>(heap), *static_cast<char**>(heap) + bytes);
                            },
                            .release = [](int, void*) {}};

TEST(TierHeaps, BlocksAppearInTheirTierAndCountThere) {
  Computer computer;
  TierHeaps heaps(*computer.memory, {MiB(64), MiB(64)}, "auto", &simple);
  void* const above = heaps.allocate(Bytes(100'000), fast);
  void* const below = heaps.allocate(Bytes(100'000), slow);
  EXPECT_TRUE(computer.promised_to(1, above));
  EXPECT_TRUE(computer.promised_to(0, below));
  EXPECT_EQ(computer.ledger->taken(fast), MiB(2));
  heaps.release(above, Bytes(100'000));
  heaps.release(below, Bytes(100'000));
  EXPECT_THAT(heaps.remarks(), IsEmpty());
  EXPECT_EQ(heaps.allocate(Bytes(100), TierId(2)), nullptr);  // there is no such tier
}

std::size_t fill(TierHeaps& heaps, TierId tier) {
  std::size_t bytes = 0;
  while (heaps.allocate(Bytes(4000), tier) != nullptr && bytes < MiB(512).value) bytes += 4000;
  return bytes;
}

TEST(TierHeaps, KeepToTheRoomOfTheTierAndSaySoOnce) {
  Computer computer;  // 64 MiB are fast
  TierHeaps heaps(*computer.memory, {MiB(256), MiB(256)}, "auto", &simple);
  EXPECT_NEAR(static_cast<double>(fill(heaps, fast)), 64 << 20, 1 << 20);
  EXPECT_EQ(heaps.allocate(Bytes(100'000), fast), nullptr);
  EXPECT_NE(heaps.allocate(Bytes(100'000), slow), nullptr);
  EXPECT_THAT(heaps.remarks(), ElementsAre(HasSubstr("tier 0 has no more room for small objects")));
}

TEST(TierHeaps, KeepToTheLimitOfTheUser) {
  Computer computer;
  TierHeaps heaps(*computer.memory, {MiB(4), MiB(256)}, "auto", &simple);
  EXPECT_NEAR(static_cast<double>(fill(heaps, fast)), 4 << 20, 1 << 20);
  EXPECT_THAT(heaps.remarks(), ElementsAre(HasSubstr("LBHM_SMALL_OBJECTS")));
  TierHeaps none(*computer.memory, {Bytes(0), Bytes(0)}, "auto", &simple);
  EXPECT_EQ(none.allocate(Bytes(100), fast), nullptr);
  EXPECT_THAT(none.remarks(), IsEmpty());
}

TEST(TierHeaps, ANodeThatOthersHaveFilledGivesNone) {
  MadeUpTree tree;
  const auto free = [&](int mib) {
    tree.write("sys/devices/system/node/node1/meminfo", "Node 1 MemFree: " + std::to_string(mib << 10) + " kB");
  };
  free(3);
  Computer computer(tree.root());  // of 64 MiB that may be used
  TierHeaps heaps(*computer.memory, {MiB(64), MiB(64)}, "auto", &simple);
  EXPECT_NEAR(static_cast<double>(fill(heaps, fast)), 2 << 20, 1 << 20);
  free(64);
  std::this_thread::sleep_for(TieredMemoryOptions().room_counts_for);
  EXPECT_NE(heaps.allocate(Bytes(100'000), fast), nullptr) << "and some again, when there is some";
}

TEST(TierHeaps, WithoutALibraryTheyNameItsPackage) {
  Computer computer;
  TierHeaps heaps(*computer.memory, {MiB(4), MiB(4)});  // no module lies beside this test
  EXPECT_EQ(heaps.allocate(Bytes(100), fast), nullptr);
  EXPECT_EQ(heaps.allocate(Bytes(100), slow), nullptr);
  EXPECT_THAT(heaps.remarks(), ElementsAre(HasSubstr("libmimalloc2.0"), HasSubstr("libmemkind0"),
                                           HasSubstr("come from malloc, in no tier")));
}

TEST(TierHeaps, AllocatorsAreTakenByName) {
  Computer computer;
  TierHeaps memkind(*computer.memory, {MiB(4), MiB(4)}, "memkind");  // no module lies beside this test
  EXPECT_EQ(memkind.allocate(Bytes(100), fast), nullptr);
  EXPECT_THAT(memkind.remarks(), ElementsAre(HasSubstr("liblbhm-memkind.so"), HasSubstr("come from malloc")));
  TierHeaps none(*computer.memory, {MiB(4), MiB(4)}, "none", &simple);
  EXPECT_EQ(none.allocate(Bytes(100), fast), nullptr);
  EXPECT_THAT(none.remarks(), IsEmpty()) << "it was asked for";
}

}  // namespace
}  // namespace lbhm::host
