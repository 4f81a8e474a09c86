// Do we learn from hwloc what /sys does not say, and go on without it?
#include "runtime/machine/hwloc_nodes.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/machine/module.h"
#include "runtime/machine/tiers.h"

namespace lbhm::host {
namespace {

/// A topology of hwloc in place of this computer's, while it lives.
class Simulated {
 public:
  explicit Simulated(const char* description) { setenv("HWLOC_SYNTHETIC", description, 1); }
  ~Simulated() { unsetenv("HWLOC_SYNTHETIC"); }
};

bool has_hwloc() {
  std::string why;
  return module_function("liblbhm-hwloc.so", "lbhm_hwloc_nodes_v1", "hwloc", "libhwloc15", why) != nullptr;
}

TEST(Hwloc, MissingModulesAreNamedWithTheirPackage) {
  std::string why;
  EXPECT_EQ(module_function("liblbhm-nothing.so", "f", "nothing", "libnothing1", why), nullptr);
  EXPECT_NE(why.find("nothing is not used ("), std::string::npos) << why;
  EXPECT_NE(why.find("install libnothing1"), std::string::npos) << why;
}

TEST(Hwloc, AnotherComputersTopologyIsNotTakenForThisOne) {
  if (!has_hwloc()) GTEST_SKIP() << "built without hwloc";
  const Simulated other("[numa] [numa] pack:2 pu:2");
  std::vector<MemoryNode> nodes{{.id = 0}};
  EXPECT_NE(add_hwloc(nodes).find("describes another computer"), std::string::npos);
}

TEST(Hwloc, AttributesOfAFileFillInWhatIsMissing) {
  if (!has_hwloc()) GTEST_SKIP() << "built without hwloc";
  setenv("HWLOC_XMLFILE", LBHM_TEST_FOLDER "/hbm_and_dram.xml", 1);
  std::vector<MemoryNode> nodes{{.id = 0, .has_cpus = true, .latency = Nanoseconds(77)}, {.id = 1}};
  const std::string complaint = add_hwloc(nodes, true);
  unsetenv("HWLOC_XMLFILE");
  EXPECT_EQ(complaint, "");
  EXPECT_EQ(nodes[0].latency, Nanoseconds(77)) << "/sys knows better";
  EXPECT_NEAR(nodes[0].read_bandwidth.value, 82, 1);
  EXPECT_NEAR(nodes[1].read_bandwidth.value, 345, 1);
  EXPECT_EQ(nodes[1].kind, MemoryKind::hbm);
  EXPECT_EQ(speed_classes(nodes).front(), std::vector<int>{1});
}

TEST(Hwloc, ThisComputerIsUnderstood) {
  if (!has_hwloc()) GTEST_SKIP() << "built without hwloc";
  std::vector<MemoryNode> nodes = read_nodes(Sysfs());
  EXPECT_EQ(add_hwloc(nodes), "");
}

TEST(Hwloc, ItsWordsForMemoryAreOurs) {
  EXPECT_EQ(kind_of_subtype("MCDRAM"), MemoryKind::hbm);
  EXPECT_EQ(kind_of_subtype("CXL-DRAM"), MemoryKind::cxl);
  EXPECT_EQ(kind_of_subtype("GPUMemory"), MemoryKind::unknown);
}

}  // namespace
}  // namespace lbhm::host
