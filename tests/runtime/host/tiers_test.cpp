// Which tiers are found on computers as they are built, with what their firmware and kernels tell?
#include "runtime/host/tiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::vector<int>> classes_of(const MadeUpTree& tree) {
  return speed_classes(read_nodes(Sysfs(tree.root())));
}

TEST(Tiers, TwoSocketsOfOneMemoryAreOneTier) {
  MadeUpTree tree;
  tree.nodes("0-1", "0-1");
  tree.node(0, 64, "10 21");
  tree.node(1, 64, "21 10");
  tree.kernel_tier(4, "0-1");
  EXPECT_THAT(classes_of(tree), ElementsAre(ElementsAre(0, 1)));
}

// The VM of tests/kernel: HMAT says what the second node is.
TEST(Tiers, FirmwareTablesRankNodes) {
  MadeUpTree tree;
  tree.nodes("0-1", "0");
  tree.node(0, 1, "10 28");
  tree.node(1, 1, "28 10");
  tree.performance(0, 0, 250'000, 90);
  tree.performance(1, 0, 20'000, 300);
  EXPECT_THAT(classes_of(tree), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

// Xeon Max in flat mode with four clusters, two of them shown: HBM has no processors and a longer latency.
TEST(Tiers, MemoryWithMoreBandwidthIsFasterThoughItsLatencyIsLonger) {
  MadeUpTree tree;
  tree.nodes("0-3", "0-1");
  for (int id = 0; id < 4; ++id) tree.node(id, id < 2 ? 64 : 16, "");
  for (int id = 0; id < 2; ++id) {
    tree.performance(id, id, 75'000 + 1'000 * id, 110);
    tree.performance(id + 2, id, 200'000 + 3'000 * id, 130);
  }
  tree.kernel_tier(4, "0-3");
  EXPECT_THAT(classes_of(tree), ElementsAre(ElementsAre(2, 3), ElementsAre(0, 1)));
}

TEST(Tiers, EqualBandwidthsAreToldApartByLatency) {
  MadeUpTree tree;
  tree.nodes("0-1", "0");
  tree.node(0, 64, "10 14");
  tree.node(1, 64, "14 10");
  tree.performance(0, 0, 200'000, 110);
  tree.performance(1, 0, 190'000, 260);
  EXPECT_THAT(classes_of(tree), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

// Two sockets with Optane as nodes of the kmem driver on 6.1, without HMAT.
TEST(Tiers, KernelTiersAndDevicesStandInForMissingTables) {
  MadeUpTree tree;
  tree.nodes("0-3", "0-1");
  const char* const distances[] = {"10 21 17 28", "21 10 28 17", "17 28 10 28", "28 17 28 10"};
  for (int id = 0; id < 4; ++id) tree.node(id, 128, distances[id]);
  tree.kernel_tier(4, "0-1");
  tree.kernel_tier(22, "2-3");
  tree.dax("dax0.0", "sys/devices/LNXSYSTM:00/ACPI0012:00/ndbus0/region0/dax0.0", 2);
  tree.dax("dax1.0", "sys/devices/LNXSYSTM:00/ACPI0012:00/ndbus0/region1/dax1.0", 3);
  const auto nodes = read_nodes(Sysfs(tree.root()));
  EXPECT_THAT(speed_classes(nodes), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_EQ(nodes[2].kind, MemoryKind::nvm);
  EXPECT_EQ(describe(speed_classes(nodes), nodes)[1].tier.name, "NVM (nodes 2,3)");
}

TEST(Tiers, DistanceIsTheLastWord) {
  MadeUpTree tree;
  tree.nodes("0-1", "0");
  tree.node(0, 64, "10 20");
  tree.node(1, 256, "20 10");
  EXPECT_THAT(classes_of(tree), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(Tiers, ThreeMemoriesAreThreeTiers) {
  MadeUpTree tree;
  tree.nodes("0-2", "0");
  for (int id = 0; id < 3; ++id) tree.node(id, 64, "10 14 24");
  tree.performance(0, 0, 120'000, 110);
  tree.performance(1, 0, 400'000, 130);
  tree.performance(2, 0, 30'000, 250);
  tree.dax("dax2.0", "sys/devices/platform/ACPI0017:00/root0/region0/dax_region0", 2);
  const auto nodes = read_nodes(Sysfs(tree.root()));
  EXPECT_THAT(speed_classes(nodes), ElementsAre(ElementsAre(1), ElementsAre(0), ElementsAre(2)));
  EXPECT_EQ(nodes[2].kind, MemoryKind::cxl);
}

TEST(Tiers, NodesWithoutMemoryAreNoTiers) {
  MadeUpTree tree;
  tree.nodes("0-1", "0-1");
  tree.node(0, 64, "10 21");
  tree.node(1, 0, "21 10");
  EXPECT_THAT(classes_of(tree), ElementsAre(ElementsAre(0)));
}

TEST(Tiers, WithoutSysThereAreNone) {
  MadeUpTree tree;
  EXPECT_THAT(classes_of(tree), IsEmpty());
  tree.write("sys/devices/system/node/online", "0-,x");
  EXPECT_THAT(classes_of(tree), IsEmpty());
}

TEST(Tiers, BandwidthsOfNodesAddUp) {
  MadeUpTree tree;
  tree.nodes("0-1", "0-1");
  for (int id = 0; id < 2; ++id) {
    tree.node(id, 64, "10 10");
    tree.performance(id, id, 100'000, 100);
  }
  const auto nodes = read_nodes(Sysfs(tree.root()));
  const auto tiers = describe(speed_classes(nodes), nodes);
  ASSERT_EQ(tiers.size(), 1u);
  EXPECT_DOUBLE_EQ(tiers[0].tier.read_bandwidth.value, 209.7152);  // twice 100,000 MiB/s
  EXPECT_EQ(tiers[0].tier.latency_random, Nanoseconds(100));
  EXPECT_EQ(tiers[0].tier.capacity, GiB(128));
}

TEST(Tiers, TheUserHasTheLastWord) {
  const std::vector<MemoryNode> nodes{{.id = 0}, {.id = 1}, {.id = 2}, {.id = 3}};
  const auto classes = parse_classes("2-3/0,1", nodes);
  ASSERT_TRUE(classes);
  EXPECT_THAT(*classes, ElementsAre(ElementsAre(2, 3), ElementsAre(0, 1)));
}

TEST(Tiers, WrongOverridesNameVariableFaultAndRemedy) {
  const std::vector<MemoryNode> nodes{{.id = 0}, {.id = 1}};
  for (const auto& [text, fault] : {std::pair("0/7", "node 7 has no memory that we may use"),
                                    {"0/1,0", "node 0 is named twice"},
                                    {"0//1", "'' is no list of nodes"},
                                    {"fast", "'fast' is no list of nodes"}}) {
    const auto classes = parse_classes(text, nodes);
    ASSERT_FALSE(classes) << text;
    EXPECT_THAT(classes.error().message(), HasSubstr("LBHM_TIERS=" + std::string(text) + ": " + fault));
    EXPECT_THAT(classes.error().message(), HasSubstr("as in 2,3/0,1"));
  }
}

TEST(Nodes, TheNearestOfATierComesFirst) {
  MadeUpTree tree;
  tree.nodes("0-3", "0-1");
  tree.node(0, 64, "10 21 13 23");
  tree.node(1, 64, "21 10 23 13");
  tree.node(2, 16, "13 23 10 23");
  tree.node(3, 16, "23 13 23 10");
  const auto nodes = read_nodes(Sysfs(tree.root()));
  EXPECT_THAT(nearest_first(nodes, 0, {2, 3}), ElementsAre(2, 3));
  EXPECT_THAT(nearest_first(nodes, 1, {2, 3}), ElementsAre(3, 2));
  EXPECT_THAT(nearest_first(nodes, 77, {2, 3}), ElementsAre(2, 3)) << "an unknown origin changes nothing";
}

TEST(Sysfs, ReadsTheKernelsLists) {
  EXPECT_THAT(*parse_list("0-2,7"), ElementsAre(0, 1, 2, 7));
  EXPECT_THAT(*parse_list(""), IsEmpty());
  for (const char* wrong : {"-1", "3-1", "1,", "a", "0-99999999999", "1 2"}) EXPECT_FALSE(parse_list(wrong)) << wrong;
  std::string again = "0-60000";  // 100 KB of such a setting were 2.4 GB of numbers
  for (int i = 0; i < 10'000; ++i) again += ",0-60000";
  EXPECT_FALSE(parse_list(again));
}

TEST(Sysfs, NumbersThatAreNoneOrNoBytesAreNotThere) {
  MadeUpTree tree;
  tree.nodes("0-1", "0");
  for (const char* damaged : {"inf", "-inf", "nan", "1e999"}) {
    tree.write("proc/damaged", damaged);
    EXPECT_FALSE(Sysfs(tree.root()).number("proc/damaged")) << damaged;
  }
  EXPECT_EQ(bytes_of(-5), Bytes(0));
  EXPECT_EQ(bytes_of(1e300), Bytes(1ull << 60));
  EXPECT_EQ(bytes_of(3, 1024), Bytes(3072));
}

}  // namespace
}  // namespace lbhm::host
