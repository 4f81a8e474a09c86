#include "runtime/machine/discovery.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "runtime/machine/capacity.h"
#include "runtime/machine/hwloc_nodes.h"
#include "runtime/machine/kernel_settings.h"
#include "runtime/machine/shared_module.h"

namespace lbhm::host {
namespace {

/// The size of the nodes, what of it is free, and what the cgroup leaves: the least.
Bytes usable(const Sysfs& sysfs, const HostTier& tier) {
  Bytes free;
  for (const int node : tier.nodes) free += available(sysfs, node).value_or(Bytes(0));
  Bytes least = free.value > 0 ? std::min(free, tier.tier.capacity) : tier.tier.capacity;
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

}  // namespace

Result<Discovery> discover(const HostOptions& options) {
  const Sysfs sysfs(options.root);
  Discovery found{.nodes = allowed(sysfs, read_nodes(sysfs)), .tiers = {}, .remarks = {}};
  // hwloc takes some milliseconds: not where there is nothing to tell apart.
  if (found.nodes.size() < 2 && options.tiers.empty()) return found;
  if (options.root == "/") {
    if (std::string complaint = add_hwloc(found.nodes, own_folder()); !complaint.empty())
      found.remarks.push_back(std::move(complaint));
  }
  auto classes = options.tiers.empty() ? speed_classes(found.nodes) : parse_classes(options.tiers, found.nodes);
  if (!classes) return std::unexpected(classes.error());
  found.tiers = describe(*classes, found.nodes);
  if (found.tiers.size() < 2) return found;
  if (std::string sentence = guess(found.nodes); options.tiers.empty() && !sentence.empty())
    found.remarks.push_back(std::move(sentence));
  for (HostTier& tier : found.tiers) tier.tier.capacity = usable(sysfs, tier);
  for (std::string& sentence : contrary_settings(sysfs)) found.remarks.push_back(std::move(sentence));
  return found;
}

std::string ledger_name(const std::vector<HostTier>& tiers) {
  std::string name = "lbhm-" + std::to_string(geteuid()) + "-";
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    if (tier > 0) name += ":";
    for (std::size_t i = 0; i < tiers[tier].nodes.size(); ++i)
      name += (i > 0 ? "," : "") + std::to_string(tiers[tier].nodes[i]);
  }
  return name;
}

}  // namespace lbhm::host
