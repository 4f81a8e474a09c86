#include "runtime/machine/measured_tiers.h"

#include <algorithm>

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

}  // namespace lbhm::host
