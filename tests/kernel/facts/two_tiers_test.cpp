// Is the machine what the other tests take it for: two nodes, of which the second has no processor and is slower?
#include <gtest/gtest.h>
#include <linux/mempolicy.h>

#include <filesystem>

#include "memory.h"

namespace facts {
namespace {

const std::string node_folder = "/sys/devices/system/node/";

TEST(TwoTiers, Node1HasMemoryAndNoProcessor) {
  EXPECT_EQ(text(node_folder + "has_memory"), "0-1");
  EXPECT_EQ(text(node_folder + "has_cpu"), "0");
  EXPECT_EQ(text(node_folder + "node1/cpulist"), "");
  EXPECT_GT(free_kib(slow), 900 * 1024);
  EXPECT_GT(free_kib(fast), 200 * 1024);
}

/// The number of the kernel's memory tier that lists this node alone; larger is slower.
int tier_of(int node) {
  const std::filesystem::path tiers = "/sys/devices/virtual/memory_tiering";
  if (!std::filesystem::exists(tiers)) return -1;
  for (const auto& tier : std::filesystem::directory_iterator(tiers)) {
    const std::string name = tier.path().filename();
    if (!name.starts_with("memory_tier") || name == "memory_tiering") continue;
    if (text(tier.path() / "nodelist") == std::to_string(node)) return std::stoi(name.substr(11));
  }
  return -1;
}

TEST(TwoTiers, TheKernelPutsNode1IntoALowerTier) {
  ASSERT_NE(tier_of(fast), -1);
  ASSERT_NE(tier_of(slow), -1);
  EXPECT_GT(tier_of(slow), tier_of(fast));
}

TEST(TwoTiers, MemoryIsWhereItIsBound) {
  for (const int node : {fast, slow}) {
    const Pages pages(64);
    ASSERT_EQ(bind(pages, MPOL_BIND, {node}), 0);
    pages.touch();
    EXPECT_EQ(pages.nodes(), std::vector<int>(64, node));
    EXPECT_TRUE(pages.intact());
  }
}

}  // namespace
}  // namespace facts
