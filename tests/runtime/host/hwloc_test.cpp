// Do we learn from hwloc what /sys does not say, and go on without it?
#include "runtime/host/memory_nodes.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/host/tiers.h"

namespace lbhm::host {
namespace {

/// A topology of hwloc in place of this computer's, while it lives.
class Simulated {
 public:
  explicit Simulated(const char* description) { setenv("HWLOC_SYNTHETIC", description, 1); }
  ~Simulated() { unsetenv("HWLOC_SYNTHETIC"); }
};

TEST(Hwloc, WithoutTheModuleItsPackageIsNamed) {
  std::vector<MemoryNode> nodes{{.id = 0}};
  const std::string complaint = add_hwloc(nodes, "/nowhere");
  EXPECT_NE(complaint.find("install the package libhwloc15"), std::string::npos) << complaint;
}

TEST(Hwloc, AnotherComputersTopologyIsNotTakenForThisOne) {
  const Simulated other("[numa] [numa] pack:2 pu:2");
  std::vector<MemoryNode> nodes{{.id = 0}};
  EXPECT_NE(add_hwloc(nodes, LBHM_MODULES).find("describes another computer"), std::string::npos);
}

TEST(Hwloc, AttributesOfAFileFillInWhatIsMissing) {
  setenv("HWLOC_XMLFILE", LBHM_TEST_FOLDER "/hbm_and_dram.xml", 1);
  std::vector<MemoryNode> nodes{{.id = 0, .has_cpus = true, .latency = Nanoseconds(77)}, {.id = 1}};
  const std::string complaint = add_hwloc(nodes, LBHM_MODULES, true);
  unsetenv("HWLOC_XMLFILE");
  EXPECT_EQ(complaint, "");
  EXPECT_EQ(nodes[0].latency, Nanoseconds(77)) << "/sys knows better";
  EXPECT_NEAR(nodes[0].read_bandwidth.value, 82, 1);
  EXPECT_NEAR(nodes[1].read_bandwidth.value, 345, 1);
  EXPECT_EQ(nodes[1].kind, MemoryKind::hbm);
  EXPECT_EQ(speed_classes(nodes).front(), std::vector<int>{1});
}

TEST(Hwloc, ThisComputerIsUnderstood) {
  std::vector<MemoryNode> nodes = read_nodes(Sysfs());
  EXPECT_EQ(add_hwloc(nodes, LBHM_MODULES), "");
}

TEST(Hwloc, ItsWordsForMemoryAreOurs) {
  EXPECT_EQ(kind_of_subtype("MCDRAM"), MemoryKind::hbm);
  EXPECT_EQ(kind_of_subtype("CXL-DRAM"), MemoryKind::cxl);
  EXPECT_EQ(kind_of_subtype("GPUMemory"), MemoryKind::unknown);
}

}  // namespace
}  // namespace lbhm::host
