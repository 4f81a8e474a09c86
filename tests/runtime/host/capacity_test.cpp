// Does what we may use respect cpusets, memory limits of cgroups and what others already have?
#include "runtime/host/capacity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

const std::string kMemory = "sys/fs/cgroup/memory/";

TEST(Capacity, OnlyNodesOfTheCpusetCount) {
  MadeUpTree tree;
  const std::vector<MemoryNode> nodes{{.id = 0}, {.id = 1}, {.id = 2}};
  EXPECT_EQ(allowed(Sysfs(tree.root()), nodes).size(), 3u) << "without /proc all are allowed";
  tree.write("proc/self/status", "Name:\tx\nMems_allowed:\t5\nMems_allowed_list:\t0,2");
  const auto usable = allowed(Sysfs(tree.root()), nodes);
  ASSERT_EQ(usable.size(), 2u);
  EXPECT_EQ(usable[1].id, 2);
}

TEST(Capacity, IsWhatIsFreeAndHalfOfTheFileCacheLessTheWatermarks) {
  MadeUpTree tree;
  tree.write("sys/devices/system/node/node1/meminfo",
             "Node 1 MemTotal: 1000000 kB\nNode 1 MemFree: 600000 kB\nNode 1 Active(file): 100000 kB\n"
             "Node 1 Inactive(file): 100000 kB\nNode 1 Active: 999 kB");
  const Sysfs sysfs(tree.root());
  EXPECT_EQ(available(sysfs, 1), Bytes(700'000ull * 1024));
  const auto zone = [](int node, int high) {
    return "Node " + std::to_string(node) + ", zone   Normal\n  pages free 5\n        min      1\n        high     " +
           std::to_string(high) + "\n  pagesets\n    cpu: 0\n              count: 3\n              high:  400\n";
  };
  tree.write("proc/zoneinfo", zone(0, 5000) + zone(1, 1000) + zone(11, 7000));
  EXPECT_EQ(available(sysfs, 1), Bytes(700'000ull * 1024 - 1000ull * static_cast<unsigned>(sysconf(_SC_PAGESIZE))));
  EXPECT_EQ(available(sysfs, 0), std::nullopt);
}

/// The kernel's own memory cannot be in movable zones; elsewhere it is given 2 %.
TEST(Capacity, WhereTheKernelsOwnMemoryIsItGetsRoomToGrow) {
  MadeUpTree tree;
  for (const char* const node : {"0", "1"})
    tree.write("sys/devices/system/node/node" + std::string(node) + "/meminfo",
               "Node " + std::string(node) + " MemFree: 400000 kB");
  const auto zone = [](const std::string& name) {
    return ", zone " + name + "\n  pages free 5\n  high 100\n  present 60000\n  managed 50000\n";
  };
  tree.write("proc/zoneinfo", "Node 0" + zone("DMA32") + "Node 0" + zone("Normal") + "Node 1" + zone("Movable"));
  const Sysfs sysfs(tree.root());
  const auto page = static_cast<unsigned>(sysconf(_SC_PAGESIZE));
  EXPECT_EQ(available(sysfs, 0), Bytes(400'000ull * 1024 - 2200ull * page));
  EXPECT_EQ(available(sysfs, 1), Bytes(400'000ull * 1024 - 100ull * page));
}

TEST(Capacity, TheTightestCgroupOfAllLevelsLimits) {
  MadeUpTree tree;
  const Sysfs sysfs(tree.root());
  EXPECT_EQ(cgroup_room(sysfs), std::nullopt);
  tree.write("proc/self/cgroup", "0::/job/step");
  tree.write("sys/fs/cgroup/job/step/memory.max", "max");
  tree.write("sys/fs/cgroup/job/step/memory.current", "100");
  EXPECT_EQ(cgroup_room(sysfs), std::nullopt) << "max is no limit";
  tree.write("sys/fs/cgroup/job/memory.max", "5000");
  tree.write("sys/fs/cgroup/job/memory.current", "1000");
  EXPECT_EQ(cgroup_room(sysfs), Bytes(4000));
  tree.write("sys/fs/cgroup/job/step/memory.max", "300");
  EXPECT_EQ(cgroup_room(sysfs), Bytes(200));
  tree.write("sys/fs/cgroup/job/step/memory.current", "900");
  EXPECT_EQ(cgroup_room(sysfs), Bytes(0)) << "above its limit";
}

TEST(Capacity, VersionOneLimitsTooAndMayShowOnlyTheContainersOwnGroup) {
  MadeUpTree tree;
  tree.write("proc/self/cgroup", "5:cpu:/x\n4:memory:/docker/123\n0::/");
  tree.write(kMemory + "memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(cgroup_room(Sysfs(tree.root())), std::nullopt);
  tree.write(kMemory + "memory.limit_in_bytes", "1000000");
  tree.write(kMemory + "memory.usage_in_bytes", "250000");
  EXPECT_EQ(cgroup_room(Sysfs(tree.root())), Bytes(750'000));
}

}  // namespace
}  // namespace lbhm::host
