#include "emulator/description/preset.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "emulator/description/preset_core.h"
#include "emulator/description/preset_fingerprint.h"
#include "emulator/description/quantity.h"
#include "emulator/description/user_machines.h"
#include "runtime/base/files.h"
#include "runtime/base/folder_names.h"
#include "runtime/base/json.h"

namespace lbhm::emulator {
namespace {

constexpr double any_positive = 1e-9;
constexpr Bytes largest = MiB(16);

Picoseconds duration(const JsonAt& node, const char* name) {
  return to_picoseconds(Nanoseconds(number_of(node, name, 0, 1e9)));
}

Bytes read_granularity(const JsonAt& node) {
  const std::uint64_t granularity = whole_of(node, "granularity_bytes", 1u << line_bits, 1u << page_bits);
  if (!std::has_single_bit(granularity))
    node["granularity_bytes"].refuse(text_of("is ", granularity, "; it must be 64 or a larger power of two"));
  return Bytes(granularity);
}

Tier read_tier(const JsonAt& node) {
  const Bytes page(1ull << page_bits);
  const Bytes capacity(whole_of(node, "capacity_bytes", page.value, 1ull << 50));
  return {
      .name = words_of(node, "name"),
      .capacity = page * (capacity.value / page.value),
      .latency_sequential = Nanoseconds(number_of(node, "latency_sequential_ns", any_positive, 1e6)),
      .latency_random = Nanoseconds(number_of(node, "latency_random_ns", any_positive, 1e6)),
      .read_bandwidth = BytesPerNanosecond(number_of(node, "read_bandwidth_gb_per_s", least_bandwidth, most_bandwidth)),
      .write_bandwidth =
          BytesPerNanosecond(number_of(node, "write_bandwidth_gb_per_s", least_bandwidth, most_bandwidth)),
      .granularity = read_granularity(node)};
}

/// A copy of b bytes takes b / R + b / W if reads and writes take turns, and the longer of the two if they do not
/// hinder each other at all.
double read_overlap(const JsonAt& node) {
  if (!node.has("copy_bandwidth_gb_per_s")) return 0;
  const double read = 1 / number_of(node, "read_bandwidth_gb_per_s", least_bandwidth, most_bandwidth);
  const double write = 1 / number_of(node, "write_bandwidth_gb_per_s", least_bandwidth, most_bandwidth);
  constexpr double rounding = 1e-3;
  const double copy = number_of(node, "copy_bandwidth_gb_per_s", 2 / (read + write) * (1 - rounding),
                                2 / std::max(read, write) * (1 + rounding));
  return std::clamp((read + write - 2 / copy) / std::min(read, write), 0.0, 1.0);
}

TierDetail read_detail(const JsonAt& node, Bytes granularity) {
  node.allow_only({"name", "capacity_bytes", "latency_sequential_ns", "latency_random_ns", "read_bandwidth_gb_per_s",
                   "write_bandwidth_gb_per_s", "copy_bandwidth_gb_per_s", "loaded_latency_ratio", "curves",
                   "granularity_bytes", "buffer_bytes"},
                  machine_schema);
  const Bytes buffer(whole_of(node, "buffer_bytes", 0, 1 << 24));
  const bool lines = granularity.value == 1u << line_bits;
  if (lines ? buffer.value != 0 : buffer < granularity) {
    node["buffer_bytes"].refuse(text_of("is ", buffer.value, "; it must be ",
                                        lines ? "0 where the granularity is a line" : "room for a block or more"));
  }
  std::optional<Curves> curves = read_curves(node);
  if (!curves && !node.has("loaded_latency_ratio"))
    node.refuse("has no curves, and loaded_latency_ratio is missing; give one of the two");
  return {.loaded_latency_ratio = curves ? 1 : number_of(node, "loaded_latency_ratio", 1, 100),
          .curves = std::move(curves),
          .overlap = read_overlap(node),
          .buffer = buffer};
}

void read_costs(const JsonAt& root, MachineDescription& machine) {
  const JsonAt sampling = root["sampling"];
  sampling.allow_only({"period", "cost_ns"}, machine_schema);
  machine.sample_period = whole_of(sampling, "period", 1, 1'000'000'000'000);
  machine.sample_cost = duration(sampling, "cost_ns");
  const JsonAt observation = root["observation"];
  observation.allow_only({"scan_pte_ns", "hint_fault_ns"}, machine_schema);
  machine.observation = {.scan = duration(observation, "scan_pte_ns"),
                         .hint_fault = duration(observation, "hint_fault_ns")};
  const JsonAt migration = root["migration"];
  migration.allow_only({"page_ns", "copy_bandwidth_gb_per_s", "shootdown_ns", "interrupt_ns"}, machine_schema);
  machine.migration = {.page = duration(migration, "page_ns"),
                       .copy_bandwidth = BytesPerNanosecond(
                           number_of(migration, "copy_bandwidth_gb_per_s", least_bandwidth, most_bandwidth)),
                       .shootdown = duration(migration, "shootdown_ns"),
                       .interrupt = duration(migration, "interrupt_ns")};
}

MachineDescription read_machine(const JsonAt& root) {
  root.allow_only({"$schema", "schema", "name", "description", "core", "caches", "tlb", "prefetcher", "tiers",
                   "sampling", "observation", "migration", "quantum_cycles"},
                  machine_schema);
  if (root.has("$schema")) (void)root["$schema"].text();
  const JsonAt schema = root["schema"];
  const bool older = schema.value() == schema_without_curves;
  if (!older) schema.must_be(machine_schema);
  MachineDescription machine;
  machine.topology.name = words_of(root, "name");
  machine.topology.description = words_of(root, "description");
  for (const JsonAt& tier : root["tiers"].list(1, maximum_tiers)) {
    machine.topology.tiers.push_back(read_tier(tier));
    machine.tier_details.push_back(read_detail(tier, machine.topology.tiers.back().granularity));
    if (older && tier.has("curves"))
      tier["curves"].refuse(text_of("is a key of ", machine_schema, "; say so in schema"));
  }
  const double frequency = number_of(root["core"], "frequency_ghz", 0.01, 100);
  machine.topology.cycles_per_nanosecond = frequency;
  machine.core = read_core(root);
  machine.topology.hardware_threads = small_of(root["core"], "hardware_threads", 1, 1 << 16);
  read_costs(root, machine);
  machine.quantum = to_picoseconds(Nanoseconds(number_of(root, "quantum_cycles", 1000, 1e12) / frequency));
  return machine;
}

/// The place of a key that its object has twice: of the two values a parser keeps the last. Empty if there is none. Of
/// texts whose keys are known to be ours.
std::string repeated_key(std::string_view text) {
  using Event = nlohmann::json::parse_event_t;
  struct Open {
    bool list = false;
    std::set<std::string> keys{};
    std::string at{};  // the part of a place
    std::size_t entries = 0;
  };
  std::vector<Open> open;
  std::string repeated;
  const auto visit = [&](int, Event event, const nlohmann::json& value) {
    const bool entry = event == Event::object_start || event == Event::array_start || event == Event::value;
    if (entry && !open.empty() && open.back().list) open.back().at = text_of("[", open.back().entries++, "]");
    if (event == Event::object_start || event == Event::array_start)
      open.push_back({.list = event == Event::array_start});
    if (event == Event::object_end || event == Event::array_end) open.pop_back();
    if (event == Event::key) {
      const auto& key = value.get_ref<const std::string&>();
      open.back().at = text_of(open.size() > 1 ? "." : "", key);
      if (!open.back().keys.insert(key).second && repeated.empty())
        for (const Open& part : open) repeated += part.at;
    }
    return true;
  };
  (void)nlohmann::json::parse(text, visit);
  return repeated;
}

std::string names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const std::filesystem::path path : folder_names(directory)) {
    if (path.extension() == ".json" && path.stem().extension() != ".schema") names.push_back(path.stem().string());
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

}  // namespace

/// Neighbours are far apart, as multiples of the golden ratio have it: lanes whose work differs by a half come in
/// another order, too. Variants come in pairs, of which the second one turns the order of the first one round.
double MachineDescription::slower(std::uint64_t number) const {
  if (other_clock == 0) return 1;
  const auto pair = (other_clock + 1) / 2;
  const double multiple = static_cast<double>(pair) * static_cast<double>(number + 1) * std::numbers::phi;
  const double part = multiple - std::floor(multiple);
  return other_clock % 2 == 1 ? 1 + 3 * part : 4 - 3 * part;
}

Result<MachineDescription> parse_machine(std::string_view text, const std::string& file) {
  const JsonFile named{.name = "machine file " + file + ": ", .remedy = ""};
  return read_json(text, named, [&](const JsonAt& root) {
    MachineDescription machine = read_machine(root);
    if (std::string key = repeated_key(text); !key.empty())
      JsonAt(root.value(), named, std::move(key)).refuse("is given twice; remove one of the two");
    machine.topology.fingerprint = machine_fingerprint(root.value());
    return machine;
  });
}

Result<MachineDescription> load_machine(std::string_view preset, std::string_view directory) {
  const bool is_path = preset.find('/') != std::string_view::npos;
  std::filesystem::path path = preset;
  if (!is_path) {
    path = std::filesystem::path(directory) / text_of(preset, ".json");
    if (std::error_code ignored; !std::filesystem::exists(path, ignored)) path = user_machines() / path.filename();
  }
  std::error_code ignored;
  if (!is_path && !std::filesystem::exists(path, ignored)) {
    return failure(StatusCode::not_found, text_of("machine \"", preset, "\" is unknown; ", directory, " has: ",
                                                  names_in(directory), "; your own are: ", names_in(user_machines()),
                                                  "; or give the path of a machine file, with a '/'"));
  }
  const auto text = read_file(path, largest);
  if (text) return parse_machine(*text, path.string());
  return failure(text.error().code(),
                 text_of("machine file ", path.string(), ": ", text.error().message(), "; check its path"));
}

}  // namespace lbhm::emulator
