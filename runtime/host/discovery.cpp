#include "runtime/host/discovery.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/base/own_folder.h"
#include "runtime/host/capacity.h"
#include "runtime/host/memory_nodes.h"
#include "runtime/host/modules.h"
#include "runtime/host/sysfs.h"
#include "runtime/host/tiers.h"

namespace lbhm::host {
namespace {

/// The size of the nodes, what of it is free, and what the cgroup leaves: the least.
Bytes usable(const Sysfs& sysfs, const HostTier& tier) {
  std::optional<Bytes> free;  // nothing: not known of any node, which is not the same as none
  for (const int node : tier.nodes)
    if (const auto of_node = available(sysfs, node)) free = free.value_or(Bytes(0)) + *of_node;
  Bytes least = std::min(free.value_or(tier.tier.capacity), tier.tier.capacity);
  if (const auto room = cgroup_room(sysfs)) least = std::min(least, *room);
  return least;
}

/// Whoever wonders about the order is told what it rests on.
std::string guess(const std::vector<MemoryNode>& nodes) {
  const bool known = std::ranges::all_of(nodes, [](const MemoryNode& node) { return node.read_bandwidth.value > 0; });
  return known ? ""
               : "neither firmware nor hwloc know the bandwidth of all memories: tiers are ranked by kind, kernel tier "
                 "and distance; if that is wrong, name their nodes by LBHM_TIERS, the fastest first";
}

/// LBHM_TIERS names a file of `lbhm machine measure`: its tiers, with what was measured of them.
Result<std::vector<HostTier>> measured_tiers(const std::string& file, const std::vector<MemoryNode>& nodes) {
  const auto measured = read_measured_tiers(file);
  if (!measured) return failure(StatusCode::invalid_argument, "LBHM_TIERS=" + measured.error().message());
  const auto classes = parse_classes(as_setting(*measured), nodes);
  if (!classes) return std::unexpected(classes.error());
  std::vector<HostTier> tiers = describe(*classes, nodes);
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    Tier& tier = tiers[i].tier;
    tier.read_bandwidth = (*measured)[i].read_bandwidth;
    tier.write_bandwidth = (*measured)[i].write_bandwidth;
    if ((*measured)[i].latency.value > 0) tier.latency_sequential = tier.latency_random = (*measured)[i].latency;
  }
  return tiers;
}

Result<std::vector<HostTier>> tiers_of(const std::string& setting, const std::vector<MemoryNode>& nodes) {
  if (setting.empty()) return describe(speed_classes(nodes), nodes);
  if (setting.ends_with(".json")) return measured_tiers(setting, nodes);
  const auto classes = parse_classes(setting, nodes);
  if (!classes) return std::unexpected(classes.error());
  return describe(*classes, nodes);
}

/// What the user has said of the whole process limits it as its cpuset does.
std::vector<MemoryNode> bound_nodes(std::vector<MemoryNode> nodes) {
  const ThreadPolicy policy = policy_of_this_thread();
  if (policy.mode == MPOL_BIND)
    std::erase_if(nodes, [&](const MemoryNode& node) { return !policy.nodes.has(node.id); });
  return nodes;
}

std::string limit_to(const std::vector<MemoryNode>& nodes) {
  std::string text = "the process's memory policy or cpuset (numactl --membind, set_mempolicy) leaves it";
  for (const MemoryNode& node : nodes) text += (&node == nodes.data() ? " node " : ", ") + std::to_string(node.id);
  return text + " of several memory nodes, and that holds";
}

}  // namespace

Result<Discovery> discover(const HostOptions& options) {
  const Sysfs sysfs(options.root);
  const std::vector<MemoryNode> all = read_nodes(sysfs);
  Discovery found{.nodes = bound_nodes(allowed(sysfs, all)), .tiers = {}, .remarks = unreadable_files(sysfs)};
  if (found.nodes.size() < all.size()) found.limit = limit_to(found.nodes);
  // hwloc takes some milliseconds: not where there is nothing to tell apart.
  if (found.nodes.size() < 2 && options.tiers.empty()) return found;
  if (options.root == "/") {
    if (std::string complaint = add_hwloc(found.nodes, own_folder()); !complaint.empty())
      found.remarks.push_back(std::move(complaint));
  }
  auto tiers = tiers_of(options.tiers, found.nodes);
  if (!tiers) return std::unexpected(tiers.error());
  found.tiers = std::move(*tiers);
  if (found.tiers.size() < 2) return found;
  if (std::string sentence = guess(found.nodes); options.tiers.empty() && !sentence.empty())
    found.remarks.push_back(std::move(sentence));
  for (HostTier& tier : found.tiers) tier.tier.capacity = usable(sysfs, tier);
  for (std::string& sentence : contrary_settings(sysfs)) found.remarks.push_back(std::move(sentence));
  return found;
}

std::string ledger_name(const std::vector<HostTier>& tiers) {
  std::string name = "lbhm2-" + std::to_string(geteuid()) + "-";
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    if (tier > 0) name += ":";
    for (std::size_t i = 0; i < tiers[tier].nodes.size(); ++i)
      name += (i > 0 ? "," : "") + std::to_string(tiers[tier].nodes[i]);
  }
  return name;
}

}  // namespace lbhm::host
