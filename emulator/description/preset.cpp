#include "emulator/description/preset.h"
#include "runtime/base/folder_names.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include "emulator/description/preset_core.h"
#include "emulator/description/preset_fingerprint.h"
#include "emulator/description/preset_node.h"
#include "emulator/description/user_machines.h"
#include "runtime/base/files.h"
#include "runtime/base/json.h"

namespace lbhm::emulator {
namespace {

constexpr double any_positive = 1e-9;
constexpr Bytes largest = MiB(16);

Picoseconds duration(const Node& node, const char* name) {
  return to_picoseconds(Nanoseconds(node.number(name, 0, 1e9)));
}

Tier read_tier(const Node& node) {
  const Bytes page(1ull << page_bits);
  const Bytes capacity(node.whole("capacity_bytes", static_cast<double>(page.value), 0x1p50));
  return {.name = node.text("name"),
          .capacity = page * (capacity.value / page.value),
          .latency_sequential = Nanoseconds(node.number("latency_sequential_ns", any_positive, 1e6)),
          .latency_random = Nanoseconds(node.number("latency_random_ns", any_positive, 1e6)),
          .read_bandwidth = BytesPerNanosecond(node.number("read_bandwidth_gb_per_s", 1e-3, 1e6)),
          .write_bandwidth = BytesPerNanosecond(node.number("write_bandwidth_gb_per_s", 1e-3, 1e6))};
}

/// A copy of b bytes takes b / R + b / W if reads and writes take turns, and the longer of the two if they do not
/// hinder each other at all.
double read_overlap(const Node& node) {
  if (!node.has("copy_bandwidth_gb_per_s")) return 0;
  const double read = 1 / node.number("read_bandwidth_gb_per_s", 1e-3, 1e6);
  const double write = 1 / node.number("write_bandwidth_gb_per_s", 1e-3, 1e6);
  constexpr double rounding = 1e-3;
  const double copy = node.number("copy_bandwidth_gb_per_s", 2 / (read + write) * (1 - rounding),
                                  2 / std::max(read, write) * (1 + rounding));
  return std::clamp((read + write - 2 / copy) / std::min(read, write), 0.0, 1.0);
}

TierDetail read_detail(const Node& node) {
  node.allow_only({"name", "capacity_bytes", "latency_sequential_ns", "latency_random_ns", "read_bandwidth_gb_per_s",
                   "write_bandwidth_gb_per_s", "copy_bandwidth_gb_per_s", "loaded_latency_ratio", "granularity_bytes",
                   "buffer_bytes"});
  const std::uint64_t line = 1u << line_bits;
  const std::uint64_t granularity = node.whole("granularity_bytes", static_cast<double>(line), 1u << page_bits);
  const std::uint64_t buffer = node.whole("buffer_bytes", 0, 0x1p24);
  if (!std::has_single_bit(granularity)) {
    throw Malformed{node.complaint(node.path("granularity_bytes"),
                                   text_of("is ", granularity, "; it must be 64 or a larger power of two"))};
  }
  if (granularity == line ? buffer != 0 : buffer < granularity) {
    throw Malformed{node.complaint(
        node.path("buffer_bytes"),
        text_of("is ", buffer, "; it must be ",
                granularity == line ? "0 where the granularity is a line" : "room for a block or more"))};
  }
  return {.loaded_latency_ratio = node.number("loaded_latency_ratio", 1, 100),
          .overlap = read_overlap(node),
          .granularity = Bytes(granularity),
          .buffer = Bytes(buffer)};
}

void read_costs(const Node& root, MachineDescription& machine) {
  const Node sampling = root.child("sampling");
  sampling.allow_only({"period", "cost_ns"});
  machine.sample_period = sampling.whole("period", 1, 1e12);
  machine.sample_cost = duration(sampling, "cost_ns");
  const Node observation = root.child("observation");
  observation.allow_only({"scan_pte_ns", "hint_fault_ns"});
  machine.observation = {.scan = duration(observation, "scan_pte_ns"),
                         .hint_fault = duration(observation, "hint_fault_ns")};
  const Node migration = root.child("migration");
  migration.allow_only({"page_ns", "copy_bandwidth_gb_per_s", "shootdown_ns", "interrupt_ns"});
  machine.migration = {.page = duration(migration, "page_ns"),
                       .copy_bandwidth = BytesPerNanosecond(migration.number("copy_bandwidth_gb_per_s", 1e-3, 1e6)),
                       .shootdown = duration(migration, "shootdown_ns"),
                       .interrupt = duration(migration, "interrupt_ns")};
}

MachineDescription read_machine(const Node& root) {
  root.allow_only({"$schema", "schema", "name", "description", "core", "caches", "tlb", "prefetcher", "tiers",
                   "sampling", "observation", "migration", "quantum_cycles"});
  if (root.text("schema") != "lbhm.machine/2") {
    throw Malformed{root.complaint("schema", "must be \"lbhm.machine/2\"")};
  }
  MachineDescription machine;
  machine.topology.name = root.text("name");
  machine.topology.description = root.text("description");
  for (const Node& tier : root.list("tiers", 1, maximum_tiers)) {
    machine.topology.tiers.push_back(read_tier(tier));
    machine.tier_details.push_back(read_detail(tier));
  }
  const double frequency = root.child("core").number("frequency_ghz", 0.01, 100);
  machine.topology.cycles_per_nanosecond = frequency;
  machine.core = read_core(root);
  machine.topology.hardware_threads = root.child("core").small("hardware_threads", 1, 1 << 16);
  read_costs(root, machine);
  machine.quantum = to_picoseconds(Nanoseconds(root.number("quantum_cycles", 1000, 1e12) / frequency));
  return machine;
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

Result<MachineDescription> parse_machine(std::string_view text, const std::string& file) {
  const auto json = parse_json(text);
  if (!json) return failure(StatusCode::malformed, text_of("machine file ", file, ": ", json.error().message()));
  try {
    MachineDescription machine = read_machine(Node(*json, file, ""));
    machine.topology.fingerprint = machine_fingerprint(*json);
    return machine;
  } catch (const Malformed& malformed) { return failure(StatusCode::malformed, malformed.sentence); }
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
