#include "runtime/host/memory_nodes.h"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <span>
#include <sstream>
#include <tuple>

#include "runtime/host/hwloc_module.h"
#include "runtime/host/modules.h"

namespace lbhm::host {
namespace {

// No std::string: liblbhm.so reads nodes while it is loaded, when the constructors of this file may not have run.
constexpr char node_folder[] = "sys/devices/system/node";
constexpr char tier_folder[] = "sys/devices/virtual/memory_tiering";
constexpr char dax_folder[] = "sys/bus/dax/devices";

std::string folder_of(int node) { return std::string(node_folder) + "/node" + std::to_string(node); }

/// The number behind `prefix`; -1: another name.
int number_behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return -1;
  name.remove_prefix(prefix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

/// HMAT as the kernel shows it (Documentation/admin-guide/mm/numaperf.rst): access1 is of processors only (since 5.9),
/// access0 may be of a device that is nearer. MiB/s and ns.
void read_performance(const Sysfs& sysfs, MemoryNode& node) {
  for (const char* access : {"/access1/initiators", "/access0/initiators"}) {
    const std::string folder = folder_of(node.id) + access;
    const auto value = [&](const char* name) { return sysfs.number(folder + "/" + name).value_or(0); };
    node.read_bandwidth = BytesPerNanosecond(value("read_bandwidth") * 1048576e-9);
    node.write_bandwidth = BytesPerNanosecond(value("write_bandwidth") * 1048576e-9);
    node.latency = Nanoseconds(value("read_latency"));
    node.initiators.clear();
    for (const std::string& name : sysfs.entries(folder))
      if (const int initiator = number_behind(name, "node"); initiator >= 0) node.initiators.push_back(initiator);
    if (node.read_bandwidth.value > 0 || node.latency.value > 0) return;
  }
}

/// A node's file lists the online nodes in order.
void read_distances(const Sysfs& sysfs, const std::vector<int>& online, MemoryNode& node) {
  std::istringstream row(sysfs.text(folder_of(node.id) + "/distance").value_or(""));
  int distance = 0;
  for (const int other : online)
    if (row >> distance) node.distances.emplace_back(other, distance);
}

/// Devices whose memory became nodes: the bus that one hangs on says what it is.
MemoryKind kind_of_device(std::string_view path) {
  if (path.contains("/ndbus")) return MemoryKind::nvm;
  if (path.contains("/ACPI0017") || path.contains("/cxl")) return MemoryKind::cxl;
  return MemoryKind::unknown;  // dax_hmem: the firmware's "specific purpose", HBM as well as CXL
}

void read_kinds(const Sysfs& sysfs, std::vector<MemoryNode>& nodes) {
  for (const std::string& device : sysfs.entries(dax_folder)) {
    const auto target = sysfs.number(std::string(dax_folder) + "/" + device + "/target_node");
    if (!target || !(*target >= 0 && *target < 0x1p16)) continue;
    const auto node = std::ranges::find(nodes, static_cast<int>(*target), &MemoryNode::id);
    if (node != nodes.end()) node->kind = kind_of_device(sysfs.resolved(std::string(dax_folder) + "/" + device));
  }
  // Processors that have HBM alone are called DRAM here: it is the name that matters then, and hwloc corrects it.
  for (MemoryNode& node : nodes)
    if (node.has_cpus && node.kind == MemoryKind::unknown) node.kind = MemoryKind::dram;
}

void read_kernel_tiers(const Sysfs& sysfs, std::vector<MemoryNode>& nodes) {
  for (const std::string& name : sysfs.entries(tier_folder)) {
    const int tier = number_behind(name, "memory_tier");
    if (tier < 0) continue;
    for (const int id : sysfs.list(std::string(tier_folder) + "/" + name + "/nodelist")) {
      const auto node = std::ranges::find(nodes, id, &MemoryNode::id);
      if (node != nodes.end()) node->kernel_tier = tier;
    }
  }
}

void fill_in(MemoryNode& node, const lbhm_hwloc_node& known) {
  if (node.read_bandwidth.value <= 0) node.read_bandwidth = BytesPerNanosecond(known.read_bandwidth);
  if (node.write_bandwidth.value <= 0) node.write_bandwidth = BytesPerNanosecond(known.write_bandwidth);
  if (node.latency.value <= 0) node.latency = Nanoseconds(known.latency);
  if (const MemoryKind kind = kind_of_subtype(known.kind); kind != MemoryKind::unknown) node.kind = kind;
}

}  // namespace

const char* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::hbm:
      return "HBM";
    case MemoryKind::dram:
      return "DRAM";
    case MemoryKind::cxl:
      return "CXL";
    case MemoryKind::nvm:
      return "NVM";
    default:
      return "memory";
  }
}

int MemoryNode::distance_to(int node) const {
  const auto found = std::ranges::find(distances, node, &std::pair<int, int>::first);
  return found == distances.end() ? 255 : found->second;
}

std::vector<MemoryNode> read_nodes(const Sysfs& sysfs) {
  const std::vector<int> online = sysfs.list(std::string(node_folder) + "/online");
  const std::vector<int> with_cpus = sysfs.list(std::string(node_folder) + "/has_cpu");
  std::vector<MemoryNode> nodes;
  for (const int id : online) {
    MemoryNode node{.id = id};
    node.total = bytes_of(sysfs.field(folder_of(id) + "/meminfo", "MemTotal").value_or(0), 1024);
    if (node.total.value == 0) continue;
    node.has_cpus = holds(with_cpus, id);
    read_performance(sysfs, node);
    read_distances(sysfs, online, node);
    nodes.push_back(std::move(node));
  }
  read_kinds(sysfs, nodes);
  read_kernel_tiers(sysfs, nodes);
  return nodes;
}

const MemoryNode* find_node(const std::vector<MemoryNode>& nodes, int id) {
  const auto found = std::ranges::find(nodes, id, &MemoryNode::id);
  return found == nodes.end() ? nullptr : &*found;
}

std::vector<int> nearest_first(const std::vector<MemoryNode>& nodes, int from, std::vector<int> candidates) {
  const MemoryNode* const origin = find_node(nodes, from);
  std::vector<std::tuple<bool, int, std::size_t, int>> ranked;  // (not local, distance, position, node)
  for (const int id : candidates) {
    const MemoryNode* const node = find_node(nodes, id);
    // The firmware's word on who is nearest counts more than distances, which are the same for many.
    const bool local = node && holds(node->initiators, from);
    const int distance = origin ? origin->distance_to(id) : node ? node->distance_to(from) : 255;
    ranked.emplace_back(!local, distance, ranked.size(), id);
  }
  std::ranges::sort(ranked);
  std::ranges::transform(ranked, candidates.begin(), [](const auto& entry) { return std::get<3>(entry); });
  return candidates;
}

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
