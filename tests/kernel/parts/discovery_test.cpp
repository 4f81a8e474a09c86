// Does discovery see on a real kernel what the machine is?
#include <gtest/gtest.h>

#include <cstdlib>

#include "facts/memory.h"
#include "runtime/host/capacity.h"
#include "runtime/host/discovery.h"
#include "runtime/host/memory_nodes.h"
#include "runtime/host/tiers.h"

namespace lbhm::host {
namespace {

const std::vector<std::vector<int>> fast_then_slow = {{facts::fast}, {facts::slow}};

TEST(Discovery, TheNodeWithProcessorsIsTheFastTier) {
  const auto nodes = read_nodes(Sysfs());
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_TRUE(nodes[0].has_cpus);
  EXPECT_FALSE(nodes[1].has_cpus);
  EXPECT_EQ(speed_classes(nodes), fast_then_slow);
}

TEST(Discovery, BothTiersCanBeUsed) {
  const auto nodes = read_nodes(Sysfs());
  EXPECT_EQ(nodes.size(), 2U);
  EXPECT_EQ(allowed(Sysfs(), nodes).size(), 2U);
  const auto found = discover({});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->tiers.size(), 2U);
  for (const HostTier& tier : found->tiers) EXPECT_GT(tier.tier.capacity.value, 200 << 20);
  for (const std::string& remark : found->remarks) std::puts(remark.c_str());
}

/// As vm/qemu.py puts them into the HMAT.
TEST(Discovery, BandwidthAndLatencyAreThoseOfTheFirmware) {
  const auto nodes = read_nodes(Sysfs());
  const auto tiers = describe(speed_classes(nodes), nodes);
  ASSERT_EQ(tiers.size(), 2U);
  for (const auto& [tier, read, latency] :
       {std::tuple(tiers[0].tier, 250., 90.), std::tuple(tiers[1].tier, 20., 300.)}) {
    std::printf("%s: %.1f GB/s read, %.0f ns\n", tier.name.c_str(), tier.read_bandwidth.value,
                tier.latency_random.value);
    EXPECT_NEAR(tier.read_bandwidth.value, read, 0.1 * read);
    EXPECT_NEAR(tier.latency_random.value, latency, 0.1 * latency);
  }
}

TEST(Discovery, WithoutNumbersTheKernelsTiersRank) {
  auto nodes = read_nodes(Sysfs());
  for (MemoryNode& node : nodes) {
    node.read_bandwidth = node.write_bandwidth = {};
    node.latency = {};
    node.kind = MemoryKind::unknown;
    node.distances.clear();
    EXPECT_GE(node.kernel_tier, 0);
  }
  EXPECT_EQ(speed_classes(nodes), fast_then_slow);
}

TEST(Discovery, HwlocAgrees) {
  auto nodes = read_nodes(Sysfs());
  for (MemoryNode& node : nodes) node.read_bandwidth = node.write_bandwidth = {}, node.latency = {};
  const std::string complaint = add_hwloc(nodes, "/lib");
  ASSERT_EQ(complaint, "");
  EXPECT_NEAR(nodes[0].read_bandwidth.value, 250, 25);
  EXPECT_NEAR(nodes[1].read_bandwidth.value, 20, 2);
  EXPECT_EQ(speed_classes(nodes), fast_then_slow);
}

TEST(Discovery, WhatIsAvailableCanBeHadWithoutTroubleToTheKernel) {
  for (const int node : {facts::fast, facts::slow}) {
    const auto bytes = available(Sysfs(), node);
    ASSERT_TRUE(bytes);
    const double free = 1024. * static_cast<double>(facts::free_kib(node));
    std::printf("node %d: %.0f MiB available, %.0f MiB free\n", node, static_cast<double>(bytes->value) / (1 << 20),
                free / (1 << 20));
    EXPECT_LT(static_cast<double>(bytes->value), free);
    EXPECT_GT(static_cast<double>(bytes->value), 0.5 * free);
  }
}

/// A limit of a control group, and a process that is put under it.
TEST(Discovery, ALimitOfAControlGroupCounts) {
  ASSERT_FALSE(cgroup_room(Sysfs()));
  ASSERT_TRUE(facts::set("/sys/fs/cgroup/cgroup.subtree_control", "+memory"));
  ASSERT_EQ(std::system("mkdir -p /sys/fs/cgroup/limited"), 0);
  ASSERT_TRUE(facts::set("/sys/fs/cgroup/limited/memory.max", "100M"));
  ASSERT_TRUE(facts::set("/sys/fs/cgroup/limited/cgroup.procs", "0"));
  const auto room = cgroup_room(Sysfs());
  EXPECT_TRUE(facts::set("/sys/fs/cgroup/cgroup.procs", "0"));
  ASSERT_TRUE(room);
  EXPECT_LE(room->value, 100 << 20);
  EXPECT_GT(room->value, 90 << 20);
}

}  // namespace
}  // namespace lbhm::host
