#include "runtime/host/tiers.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>

#include "runtime/base/files.h"
#include "runtime/base/json.h"

namespace lbhm::host {
namespace {

constexpr Bytes largest = MiB(16);
constexpr std::size_t most_tiers = 8, most_nodes = 1024;  // of a machine; of Linux (CONFIG_NODES_SHIFT)
constexpr double most_nanoseconds = 1e9, most_bandwidth = 1e6;

/// `seen`: the nodes of faster tiers.
std::vector<int> nodes_of(const JsonAt& list, std::vector<int>& seen) {
  std::vector<int> nodes;
  for (const JsonAt& entry : list.list(1, most_nodes)) {
    const int node = static_cast<int>(entry.whole(0, most_nodes - 1));
    if (std::ranges::count(nodes, node) > 0) list.refuse(text_of("names node ", node, " twice"));
    if (std::ranges::count(seen, node) > 0) list.refuse(text_of("names node ", node, ", which a faster tier has, too"));
    nodes.push_back(node);
  }
  seen.insert(seen.end(), nodes.begin(), nodes.end());
  return nodes;
}

MeasuredTier read_tier(const JsonAt& tier, std::vector<int>& seen) {
  const auto bandwidth = [&](const char* key) {
    return BytesPerNanosecond(tier[key].number(JsonAt::any_positive, most_bandwidth));  // GB/s are bytes a nanosecond
  };
  const auto latency = tier.find("latency_ns");
  return {.name = tier["name"].text(),
          .nodes = nodes_of(tier["nodes"], seen),
          .latency = Nanoseconds(latency ? latency->number(JsonAt::any_positive, most_nanoseconds) : 0),
          .read_bandwidth = bandwidth("read_bandwidth_gb_per_s"),
          .write_bandwidth = bandwidth("write_bandwidth_gb_per_s")};
}

/// Nodes of one class differ by less than this factor. An assumption: HMAT rounds, and sub-NUMA clusters of one memory
/// differ by a few per cent, while HBM, DRAM, CXL and NVM differ by 1.5 and more in bandwidth or latency.
constexpr double same_speed = 1.25;

using Class = std::vector<const MemoryNode*>;
/// Smaller is faster; nothing: not known.
using Measure = std::function<std::optional<double>(const MemoryNode&)>;

/// Splits a class where the measure makes a step of more than `factor`; all together if it is not known of one.
std::vector<Class> split(Class nodes, const Measure& measure, double factor) {
  if (!std::ranges::all_of(nodes, [&](const MemoryNode* node) { return measure(*node).has_value(); })) return {nodes};
  std::ranges::sort(nodes, {}, [&](const MemoryNode* node) { return std::pair(measure(*node).value_or(0), node->id); });
  std::vector<Class> classes;
  double first = 0;
  for (const MemoryNode* node : nodes) {
    const double value = measure(*node).value_or(0);
    if (classes.empty() || value > first * factor) {
      classes.emplace_back();
      first = value;
    }
    classes.back().push_back(node);
  }
  return classes;
}

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

std::optional<double> slowness(const MemoryNode& node) {
  return node.read_bandwidth.value > 0 ? std::optional(1 / node.read_bandwidth.value) : std::nullopt;
}

std::optional<double> rank_of_kind(const MemoryNode& node) { return positive(static_cast<double>(node.kind)); }

std::optional<double> kernel_rank(const MemoryNode& node) {
  return node.kernel_tier >= 0 ? std::optional(node.kernel_tier + 1.0) : std::nullopt;
}

std::string name_of_class(const std::vector<const MemoryNode*>& nodes) {
  const MemoryKind kind = nodes.front()->kind;
  const bool one_kind = std::ranges::all_of(nodes, [&](const MemoryNode* node) { return node->kind == kind; });
  std::string name = one_kind && kind != MemoryKind::unknown ? name_of(kind) : "memory";
  name += nodes.size() > 1 ? " (nodes" : " (node";
  for (const MemoryNode* node : nodes) name += (node == nodes.front() ? " " : ",") + std::to_string(node->id);
  return name + ")";
}

HostTier describe_class(const std::vector<int>& ids, const std::vector<MemoryNode>& nodes) {
  HostTier described{.nodes = ids, .tier = {}};
  std::vector<const MemoryNode*> members;
  members.reserve(ids.size());
  for (const int id : ids) members.push_back(find_node(nodes, id));
  Tier& tier = described.tier;
  tier.name = name_of_class(members);
  for (const MemoryNode* node : members) {
    tier.capacity += node->total;
    tier.read_bandwidth += node->read_bandwidth;
    tier.write_bandwidth += node->write_bandwidth.value > 0 ? node->write_bandwidth : node->read_bandwidth;
    tier.latency_random = std::max(tier.latency_random, node->latency);
  }
  tier.latency_sequential = tier.latency_random;
  return described;
}

}  // namespace

Result<std::vector<MeasuredTier>> read_measured_tiers(const std::string& file) {
  const auto text = read_file(file, largest);
  if (!text)
    return failure(text.error().code(),
                   file + ": " + text.error().message() + "; lbhm machine measure writes such a file");
  const JsonFile named{.name = file + ": ", .remedy = "; write it again by lbhm machine measure"};
  return read_json(*text, named, [](const JsonAt& top) {
    top["schema"].must_be("lbhm.host/1");
    top["kind"].must_be("host");  // others were not measured
    std::vector<MeasuredTier> tiers;
    std::vector<int> seen;
    for (const JsonAt& tier : top["tiers"].list(1, most_tiers)) tiers.push_back(read_tier(tier, seen));
    return tiers;
  });
}

std::string as_setting(const std::vector<MeasuredTier>& tiers) {
  std::string text;
  for (const MeasuredTier& tier : tiers) {
    for (std::size_t i = 0; i < tier.nodes.size(); ++i)
      text += (i > 0 ? "," : text.empty() ? "" : "/") + std::to_string(tier.nodes[i]);
  }
  return text;
}

std::vector<std::vector<int>> speed_classes(const std::vector<MemoryNode>& nodes) {
  const auto to_processors = [&](const MemoryNode& node) {
    double nearest = 255;
    for (const MemoryNode& other : nodes)
      if (other.has_cpus) nearest = std::min<double>(nearest, other.distance_to(node.id));
    return node.has_cpus ? std::optional(10.0) : std::optional(nearest);
  };
  const std::pair<Measure, double> measures[] = {
      {slowness, same_speed}, {[](const MemoryNode& node) { return positive(node.latency.value); }, same_speed},
      {rank_of_kind, 1},      {kernel_rank, 1},
      {to_processors, 1},
  };
  std::vector<Class> classes(nodes.empty() ? 0 : 1);
  for (const MemoryNode& node : nodes) classes[0].push_back(&node);
  for (const auto& [measure, factor] : measures) {
    std::vector<Class> finer;
    for (Class& old : classes) std::ranges::move(split(std::move(old), measure, factor), std::back_inserter(finer));
    classes = std::move(finer);
  }
  std::vector<std::vector<int>> ids;
  for (const Class& members : classes) {
    ids.emplace_back();
    for (const MemoryNode* node : members) ids.back().push_back(node->id);
    std::ranges::sort(ids.back());
  }
  return ids;
}

Result<std::vector<std::vector<int>>> parse_classes(std::string_view text, const std::vector<MemoryNode>& nodes) {
  const std::string start = "LBHM_TIERS=" + std::string(text);
  const std::string remedy = "; name the memory nodes of each tier, the fastest first, as in 2,3/0,1, or unset it";
  const auto refused = [&](const std::string& what) {
    return failure(StatusCode::invalid_argument, start + ": " + what + remedy);
  };
  std::vector<std::vector<int>> classes;
  std::vector<int> seen;
  for (const auto part : std::views::split(text, '/')) {
    const std::string_view list(part.begin(), part.end());
    const auto ids = parse_list(list);
    if (!ids || ids->empty()) return refused("'" + std::string(list) + "' is no list of nodes");
    for (const int id : *ids) {
      const bool known = find_node(nodes, id) != nullptr;
      if (!known || holds(seen, id))
        return refused("node " + std::to_string(id) + (known ? " is named twice" : " has no memory that we may use"));
      seen.push_back(id);
    }
    classes.push_back(*ids);
  }
  if (classes.size() >= no_tier.value) return refused("too many tiers");
  return classes;
}

std::vector<HostTier> describe(const std::vector<std::vector<int>>& classes, const std::vector<MemoryNode>& nodes) {
  std::vector<HostTier> tiers;
  tiers.reserve(classes.size());
  for (const std::vector<int>& ids : classes) tiers.push_back(describe_class(ids, nodes));
  return tiers;
}

}  // namespace lbhm::host
