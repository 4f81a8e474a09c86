// libFuzzer target: whatever is in a file of lbhm machine measure (lbhm.host/1) or in LBHM_TIERS, there are classes
// that name each node once and rates that are numbers, or one complaint. The first byte chooses which of them it is.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "runtime/host/tiers.h"

namespace {

using namespace lbhm::host;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<MemoryNode> six_nodes() {
  std::vector<MemoryNode> nodes;
  for (int id = 0; id < 6; ++id) nodes.push_back(MemoryNode{.id = id, .total = lbhm::GiB(1), .has_cpus = id < 2});
  return nodes;
}

void check_classes(std::string_view text) {
  static const std::vector<MemoryNode> nodes = six_nodes();
  const auto classes = parse_classes(text, nodes);
  if (!classes) return require(!classes.error().message().empty());
  std::set<int> seen;
  for (const auto& members : *classes) {
    require(!members.empty());
    for (const int node : members) require(node >= 0 && node < 6 && seen.insert(node).second);
  }
  for (const HostTier& tier : describe(*classes, nodes)) require(tier.tier.capacity.value > 0);
}

void check_file(std::string_view text) {
  static const int file = memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  require(ftruncate(file, 0) == 0 && pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  const auto tiers = read_measured_tiers(path);
  if (!tiers) return require(tiers.error().message().starts_with(path));
  for (const MeasuredTier& tier : *tiers) {
    require(std::isfinite(tier.latency.value) && tier.latency.value >= 0);
    require(std::isfinite(tier.read_bandwidth.value) && tier.read_bandwidth.value > 0);
    require(std::isfinite(tier.write_bandwidth.value) && tier.write_bandwidth.value > 0);
  }
  check_classes(as_setting(*tiers));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  data[0] % 2 == 0 ? check_file(text) : check_classes(text);
  return 0;
}
