#include "runtime/machine/measured_tiers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/base/files.h"
#include "runtime/base/json.h"

namespace lbhm::host {
namespace {

using nlohmann::json;

constexpr Bytes largest = MiB(16);
constexpr std::size_t most_tiers = 8, most_nodes = 1024;  // of a machine; of Linux (CONFIG_NODES_SHIFT)

/// A number above 0; nothing if the key holds no such number.
std::optional<double> positive(const json& tier, const char* key) {
  const auto at = tier.find(key);
  if (at == tier.end() || !at->is_number() || at->get<double>() <= 0) return std::nullopt;
  return at->get<double>();
}

/// Empty if they are no list of different nodes.
std::vector<int> nodes_of(const json& tier) {
  std::vector<int> nodes;
  const auto at = tier.find("nodes");
  if (at == tier.end() || !at->is_array() || at->size() > most_nodes) return {};
  for (const json& node : *at) {
    if (!node.is_number_unsigned() || node.get<std::uint64_t>() >= most_nodes) return {};
    nodes.push_back(node.get<int>());
    if (std::ranges::count(nodes, nodes.back()) > 1) return {};
  }
  return nodes;
}

/// The key that is wrong; null if all are right.
const char* read_tier(const json& from, MeasuredTier& tier) {
  if (!from.is_object()) return "";
  const auto name = from.find("name");
  if (name == from.end() || !name->is_string()) return ".name";
  tier.name = name->get<std::string>();
  tier.nodes = nodes_of(from);
  if (tier.nodes.empty()) return ".nodes";
  const auto latency = from.find("latency_ns");
  if (latency != from.end() && !latency->is_null() && !positive(from, "latency_ns")) return ".latency_ns";
  tier.latency = Nanoseconds(positive(from, "latency_ns").value_or(0));
  const auto read = positive(from, "read_bandwidth_gb_per_s");
  if (!read) return ".read_bandwidth_gb_per_s";
  const auto write = positive(from, "write_bandwidth_gb_per_s");
  if (!write) return ".write_bandwidth_gb_per_s";
  tier.read_bandwidth = BytesPerNanosecond(*read);  // GB/s are bytes a nanosecond
  tier.write_bandwidth = BytesPerNanosecond(*write);
  return nullptr;
}

std::unexpected<Status> malformed(const std::string& file, const std::string& what) {
  return failure(StatusCode::malformed, file + ": " + what + "; write it again by lbhm machine measure");
}

/// The key that names a node which an earlier tier has, too; empty if there is none.
std::string node_twice(const std::vector<MeasuredTier>& tiers) {
  std::vector<int> seen;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    for (const int node : tiers[i].nodes) {
      if (std::ranges::count(seen, node) > 0) return "tiers[" + std::to_string(i) + "].nodes";
      seen.push_back(node);
    }
  }
  return "";
}

}  // namespace

Result<std::vector<MeasuredTier>> read_measured_tiers(const std::string& file) {
  const auto text = read_file(file, largest);
  if (!text)
    return failure(text.error().code(),
                   file + ": " + text.error().message() + "; lbhm machine measure writes such a file");
  const auto parsed = parse_json(*text);
  if (!parsed) return malformed(file, parsed.error().message());
  const json& content = *parsed;
  if (!content.is_object()) return malformed(file, "it is not a JSON object");
  const auto schema = content.find("schema");
  if (schema == content.end() || *schema != "lbhm.host/1") return malformed(file, "'schema' is not 'lbhm.host/1'");
  const auto kind = content.find("kind");
  if (kind == content.end() || *kind != "host")
    return malformed(file, "'kind' is not 'host': this computer was not measured");
  const auto list = content.find("tiers");
  if (list == content.end() || !list->is_array() || list->empty() || list->size() > most_tiers)
    return malformed(file, "'tiers' must be a list of 1 to " + std::to_string(most_tiers));
  std::vector<MeasuredTier> tiers(list->size());
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    if (const char* wrong = read_tier((*list)[i], tiers[i]))
      return malformed(file, "tiers[" + std::to_string(i) + "]" + wrong + " is wrong or missing");
  }
  if (const std::string twice = node_twice(tiers); !twice.empty())
    return malformed(file, twice + " names a node that a faster tier has, too");
  return tiers;
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
