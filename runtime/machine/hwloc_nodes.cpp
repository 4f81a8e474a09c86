#include "runtime/machine/hwloc_nodes.h"

#include <algorithm>
#include <span>

#include "runtime/machine/hwloc_module.h"
#include "runtime/machine/shared_module.h"

namespace lbhm::host {
namespace {

void fill_in(MemoryNode& node, const lbhm_hwloc_node& known) {
  if (node.read_bandwidth.value <= 0) node.read_bandwidth = BytesPerNanosecond(known.read_bandwidth);
  if (node.write_bandwidth.value <= 0) node.write_bandwidth = BytesPerNanosecond(known.write_bandwidth);
  if (node.latency.value <= 0) node.latency = Nanoseconds(known.latency);
  if (const MemoryKind kind = kind_of_subtype(known.kind); kind != MemoryKind::unknown) node.kind = kind;
}

}  // namespace

MemoryKind kind_of_subtype(std::string_view subtype) {
  if (subtype == "MCDRAM" || subtype == "HBM") return MemoryKind::hbm;
  if (subtype == "DRAM") return MemoryKind::dram;
  if (subtype == "CXL" || subtype.starts_with("CXL-")) return MemoryKind::cxl;
  if (subtype == "NVM") return MemoryKind::nvm;
  return MemoryKind::unknown;
}

std::string add_hwloc(std::vector<MemoryNode>& nodes, const std::string& modules, bool simulated) {
  const auto module = open_module(modules, "liblbhm-hwloc.so", "lbhm_hwloc_nodes_v1", "libhwloc15");
  if (!module) return module.error().message();
  const auto ask = reinterpret_cast<decltype(&lbhm_hwloc_nodes_v1)>(*module);
  std::vector<lbhm_hwloc_node> known(1024);
  char sentence[256] = "";
  const int count = ask(known.data(), static_cast<int>(known.size()), simulated, sentence, sizeof sentence);
  if (count < 0) return std::string("/sys alone ranks tiers, hwloc is not used: ") + sentence;
  for (const lbhm_hwloc_node& one :
       std::span(known).first(std::min<std::size_t>(known.size(), static_cast<std::size_t>(count)))) {
    const auto node = std::ranges::find(nodes, one.id, &MemoryNode::id);
    if (node != nodes.end()) fill_in(*node, one);
  }
  return "";
}

}  // namespace lbhm::host
