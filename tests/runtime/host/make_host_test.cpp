// Does the host become what it is: one memory as before, several as tiers, and clear words for settings that do not
// fit?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/host/discovery.h"
#include "runtime/host/host.h"
#include "runtime/host/sysfs.h"
#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void readable_proc(MadeUpTree& tree) {
  tree.write("proc/self/status", "Mems_allowed_list:\t0-1");
  tree.write("proc/self/cgroup", "0::/");
}

void two_tiers(MadeUpTree& tree) {
  tree.nodes("0-1", "0");
  tree.node(0, 4, "10 28");
  tree.node(1, 16, "28 10");
  tree.performance(0, 0, 250'000, 90);
  tree.performance(1, 0, 20'000, 300);
  readable_proc(tree);
}

TEST(MakeHost, WithoutSysItIsTheHostOfOneMemory) {
  MadeUpTree tree;
  const auto machine = make_host_machine({.root = tree.root()});
  ASSERT_TRUE(machine);
  EXPECT_EQ((*machine)->topology().tiers.size(), 1u);
  EXPECT_THAT((*machine)->remarks(),
              ElementsAre(HasSubstr("/sys/devices/system/node/online cannot be read (No such file or directory)"),
                          HasSubstr("/proc/self/status cannot be read"), HasSubstr("the host has one memory")));
}

TEST(Discovery, AMemoryThatCannotBeLookedAtIsNamed) {
  MadeUpTree tree;
  two_tiers(tree);
  std::filesystem::remove(tree.root() + "/sys/devices/system/node/node1/meminfo");
  const auto found = discover({.root = tree.root()});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tiers.size(), 0u);
  EXPECT_THAT(found->remarks, ElementsAre(testing::AllOf(HasSubstr("/sys/devices/system/node/node1/meminfo"),
                                                         HasSubstr("readable /sys"))));
}

TEST(MakeHost, SeveralMemoriesAreTiersWithTheirFigures) {
  MadeUpTree tree;
  two_tiers(tree);
  const auto machine = make_host_machine({.fast_capacity = GiB(1), .root = tree.root()});
  ASSERT_TRUE(machine) << machine.error().message();
  const auto& tiers = (*machine)->topology().tiers;
  ASSERT_EQ(tiers.size(), 2u);
  EXPECT_EQ(tiers[0].capacity, GiB(1));
  EXPECT_DOUBLE_EQ(tiers[0].read_bandwidth.value, 262.144);  // 250,000 MiB/s
  EXPECT_EQ(tiers[1].capacity, GiB(16));
  EXPECT_EQ(tiers[1].latency_random, Nanoseconds(300));
}

TEST(MakeHost, OtherFiguresAreAnotherFingerprintAndOtherFreeMemoryIsNot) {
  const auto fingerprint = [](long bandwidth, long free_gib) {
    MadeUpTree tree;
    two_tiers(tree);
    tree.write("sys/devices/system/node/node1/access1/initiators/read_bandwidth", std::to_string(bandwidth));
    tree.write("sys/devices/system/node/node1/meminfo",
               "Node 1 MemTotal: 16777216 kB\nNode 1 MemFree: " + std::to_string(free_gib << 20) + " kB");
    const auto machine = make_host_machine({.root = tree.root()});
    return machine ? (*machine)->topology().fingerprint : "";
  };
  EXPECT_EQ(fingerprint(20'000, 12).size(), 16u);
  EXPECT_EQ(fingerprint(20'000, 12), fingerprint(20'000, 6));
  EXPECT_NE(fingerprint(20'000, 12), fingerprint(30'000, 12));
}

TEST(MakeHost, PagesAreScatteredWhereThereAreTwoMemories) {
  MadeUpTree tree;
  readable_proc(tree);
  const auto one = make_host_machine({.root = tree.root()});
  ASSERT_TRUE(one);
  EXPECT_THAT((*one)->scatter(0.5, 1).message(),
              HasSubstr("policy scatter: machine host has one memory, so there is nothing to choose"));
  two_tiers(tree);
  const auto two = make_host_machine({.root = tree.root()});
  ASSERT_TRUE(two);
  EXPECT_TRUE((*two)->scatter(0.5, 1).ok());
}

TEST(MakeHost, FastMemoryThatOthersHaveFilledIsNotPromised) {
  MadeUpTree tree;
  two_tiers(tree);
  tree.write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 4194304 kB\nNode 0 MemFree: 1000 kB");
  tree.write("proc/zoneinfo", "Node 0, zone Normal\n  high 100\n  managed 1048576");  // more is kept than is free
  const auto machine = make_host_machine({.root = tree.root()});
  ASSERT_TRUE(machine) << machine.error().message();
  EXPECT_EQ((*machine)->topology().tiers[0].capacity, Bytes(0));
  EXPECT_EQ((*machine)->topology().tiers[1].capacity, GiB(16));
}

TEST(MakeHost, ObjectsAreUsableWhateverTheKernelSaysOfTheirNodes) {
  MadeUpTree tree;
  two_tiers(tree);  // node 1 is not there, so mbind refuses it
  const auto machine = make_host_machine({.root = tree.root()});
  ASSERT_TRUE(machine);
  const TierId slow_first[] = {TierId(1), TierId(0)};
  ASSERT_TRUE((*machine)->prefer_default(slow_first).ok());
  const auto object = (*machine)->reserve(MiB(1), Bytes(4096));
  ASSERT_TRUE(object) << object.error().message();
  static_cast<char*>(*object)[12345] = 1;
  (*machine)->release(*object, MiB(1));
}

TEST(MakeHost, SettingsThatDoNotFitAreNamed) {
  MadeUpTree tree;
  two_tiers(tree);
  const auto complaint = [&](HostOptions options) {
    options.root = tree.root();
    const auto machine = make_host_machine(options);
    return machine ? std::string() : machine.error().message();
  };
  EXPECT_THAT(complaint({.tiers = "0/9"}), HasSubstr("LBHM_TIERS=0/9: node 9"));
  EXPECT_THAT(complaint({.spread = "wide"}), HasSubstr("LBHM_SPREAD=wide"));
  EXPECT_THAT(complaint({.huge_pages = "huge"}), HasSubstr("LBHM_HUGE_PAGES=huge"));
}

TEST(Discovery, WhatWasMeasuredIsBelieved) {
  MadeUpTree tree;
  two_tiers(tree);
  tree.write("host.json", R"({"schema": "lbhm.host/1", "kind": "host", "tiers": [
    {"name": "fast", "nodes": [1], "latency_ns": null, "read_bandwidth_gb_per_s": 300, "write_bandwidth_gb_per_s": 200},
    {"name": "slow", "nodes": [0], "latency_ns": 85, "read_bandwidth_gb_per_s": 30, "write_bandwidth_gb_per_s": 20}]})");
  const auto found = discover({.tiers = tree.root() + "/host.json", .root = tree.root()});
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->tiers.size(), 2u);
  EXPECT_THAT(found->tiers[0].nodes, ElementsAre(1));
  EXPECT_EQ(found->tiers[0].tier.write_bandwidth, BytesPerNanosecond(200));
  EXPECT_EQ(found->tiers[0].tier.latency_random, Nanoseconds(300)) << "not measured: as the firmware says";
  EXPECT_EQ(found->tiers[1].tier.latency_random, Nanoseconds(85));
}

TEST(Discovery, AMeasurementOfAnotherComputerIsRefused) {
  MadeUpTree tree;
  two_tiers(tree);
  tree.write("host.json", R"({"schema": "lbhm.host/1", "kind": "host", "tiers": [
    {"name": "memory", "nodes": [0, 5], "read_bandwidth_gb_per_s": 3, "write_bandwidth_gb_per_s": 2}]})");
  const auto found = discover({.tiers = tree.root() + "/host.json", .root = tree.root()});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), HasSubstr("node 5 has no memory that we may use"));
  const auto absent = discover({.tiers = "/nowhere.json", .root = tree.root()});
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message(), HasSubstr("LBHM_TIERS=/nowhere.json: cannot be read"));
}

TEST(Discovery, CapacitiesKeepToTheCgroup) {
  MadeUpTree tree;
  two_tiers(tree);
  tree.write("proc/self/cgroup", "0::/");
  tree.write("sys/fs/cgroup/memory.max", "1073741824");
  const auto found = discover({.root = tree.root()});
  ASSERT_TRUE(found);
  for (const HostTier& tier : found->tiers) EXPECT_EQ(tier.tier.capacity, GiB(1));
}

TEST(Discovery, ATierOutsideTheCpusetIsNoTier) {
  MadeUpTree tree;
  two_tiers(tree);
  tree.write("proc/self/status", "Mems_allowed_list:\t1");
  const auto found = discover({.root = tree.root()});
  ASSERT_TRUE(found);
  EXPECT_LT(found->tiers.size(), 2u);
}

TEST(Discovery, AGuessIsCalledOne) {
  MadeUpTree tree;
  readable_proc(tree);
  tree.nodes("0-1", "0");
  tree.node(0, 4, "10 28");
  tree.node(1, 16, "28 10");
  EXPECT_THAT(discover({.root = tree.root()})->remarks, ElementsAre(HasSubstr("name their nodes by LBHM_TIERS")));
  EXPECT_THAT(discover({.tiers = "1/0", .root = tree.root()})->remarks, IsEmpty());
}

TEST(KernelSettings, ThoseThatWorkAgainstUsAreNamedWithTheirRemedy) {
  MadeUpTree tree;
  const Sysfs sysfs(tree.root());
  EXPECT_THAT(contrary_settings(sysfs), IsEmpty());
  tree.write("proc/sys/kernel/numa_balancing", "0");
  tree.write("sys/kernel/mm/numa/demotion_enabled", "false");
  EXPECT_THAT(contrary_settings(sysfs), IsEmpty());
  tree.write("proc/sys/kernel/numa_balancing", "2");
  tree.write("sys/kernel/mm/numa/demotion_enabled", "true");
  EXPECT_THAT(contrary_settings(sysfs), ElementsAre(HasSubstr("sysctl kernel.numa_balancing=0"),
                                                    HasSubstr("echo 0 > /sys/kernel/mm/numa/demotion_enabled")));
}

}  // namespace
}  // namespace lbhm::host
