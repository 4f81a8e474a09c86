#include "emulator/preset.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "emulator/preset_node.h"

namespace lbhm::emulator {
namespace {

constexpr double any_positive = 1e-9;

Tier read_tier(const Node& node) {
  node.allow_only({"name", "capacity_bytes", "latency_sequential_ns", "latency_random_ns", "read_bandwidth_gb_per_s",
                   "write_bandwidth_gb_per_s"});
  const Bytes page(1ull << page_bits);
  const Bytes capacity(node.whole("capacity_bytes", static_cast<double>(page.value), 0x1p50));
  return {.name = node.text("name"),
          .capacity = page * (capacity.value / page.value),
          .latency_sequential = Nanoseconds(node.number("latency_sequential_ns", any_positive, 1e6)),
          .latency_random = Nanoseconds(node.number("latency_random_ns", any_positive, 1e6)),
          .read_bandwidth = BytesPerNanosecond(node.number("read_bandwidth_gb_per_s", 1e-3, 1e6)),
          .write_bandwidth = BytesPerNanosecond(node.number("write_bandwidth_gb_per_s", 1e-3, 1e6))};
}

CacheShape read_cache(const Node& node) {
  const std::uint64_t bytes = node.whole("bytes", 64, 0x1p32);
  const std::uint64_t ways = node.whole("ways", 1, 31);
  const std::uint64_t sets = (bytes >> line_bits) / ways;
  if ((sets * ways) << line_bits != bytes || !std::has_single_bit(sets)) {
    throw Malformed{node.complaint(
        node.path("bytes"), text_of("is ", bytes, "; it must be 64 bytes x ", ways, " ways x a power of two of sets"))};
  }
  return {.sets = static_cast<std::uint32_t>(sets), .ways = static_cast<std::uint32_t>(ways)};
}

CoreShape read_core(const Node& root) {
  const Node core = root.child("core");
  core.allow_only({"frequency_ghz", "hardware_threads", "dispatch_width", "reorder_window", "fill_buffers",
                   "misprediction_cycles"});
  const Node caches = root.child("caches");
  caches.allow_only({"l1", "l2", "llc_slice"});
  caches.child("l1").allow_only({"bytes", "ways"});
  caches.child("l2").allow_only({"bytes", "ways", "latency_cycles"});
  caches.child("llc_slice").allow_only({"bytes", "ways", "latency_cycles"});
  const Node prefetcher = root.child("prefetcher");
  prefetcher.allow_only({"distance", "maximum_stride_lines"});
  return {.dispatch_width = core.number("dispatch_width", 0.1, 64),
          .misprediction_cycles = core.number("misprediction_cycles", 0, 1e4),
          .l2_latency_cycles = caches.child("l2").number("latency_cycles", 0, 1e4),
          .llc_latency_cycles = caches.child("llc_slice").number("latency_cycles", 0, 1e4),
          .reorder_window = static_cast<std::uint32_t>(core.whole("reorder_window", 1, 1e5)),
          .fill_buffers = static_cast<std::uint32_t>(core.whole("fill_buffers", 1, 64)),
          .l1 = read_cache(caches.child("l1")),
          .l2 = read_cache(caches.child("l2")),
          .llc = read_cache(caches.child("llc_slice")),
          .prefetcher = {
              .distance = static_cast<std::uint32_t>(prefetcher.whole("distance", 0, Prefetcher::maximum_distance)),
              .maximum_stride = static_cast<std::uint32_t>(prefetcher.whole("maximum_stride_lines", 1, 1e6))}};
}

MachineDescription read_machine(const Node& root) {
  root.allow_only({"$schema", "schema", "name", "description", "core", "caches", "prefetcher", "tiers", "sampling",
                   "migration", "quantum_cycles"});
  if (root.text("schema") != "lbhm.machine/1") {
    throw Malformed{root.complaint("schema", "must be \"lbhm.machine/1\"")};
  }
  MachineDescription machine;
  machine.topology.name = root.text("name");
  machine.topology.description = root.text("description");
  for (const Node& tier : root.list("tiers", 1, maximum_tiers)) machine.topology.tiers.push_back(read_tier(tier));
  const double frequency = root.child("core").number("frequency_ghz", 0.01, 100);
  machine.topology.cycles_per_nanosecond = frequency;
  machine.core = read_core(root);
  machine.topology.hardware_threads =
      static_cast<std::uint32_t>(root.child("core").whole("hardware_threads", 1, 1 << 16));
  const Node sampling = root.child("sampling");
  sampling.allow_only({"period", "cost_ns"});
  machine.sample_period = sampling.whole("period", 1, 1e12);
  machine.sample_cost = to_picoseconds(Nanoseconds(sampling.number("cost_ns", 0, 1e9)));
  const Node migration = root.child("migration");
  migration.allow_only({"page_ns"});
  machine.move_cost = to_picoseconds(Nanoseconds(migration.number("page_ns", 0, 1e9)));
  machine.quantum = to_picoseconds(Nanoseconds(root.number("quantum_cycles", 1000, 1e12) / frequency));
  return machine;
}

std::string names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == ".json" && path.stem().extension() != ".schema") names.push_back(path.stem().string());
  }
  std::ranges::sort(names);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

}  // namespace

Result<MachineDescription> parse_machine(std::string_view text, const std::string& file) {
  try {
    const Json json = Json::parse(text);
    return read_machine(Node(json, file, ""));
  } catch (const Malformed& malformed) {
    return failure(StatusCode::malformed, malformed.sentence);
  } catch (const nlohmann::json::exception& error) {
    return failure(StatusCode::malformed, text_of("machine file ", file, ": is not valid JSON: ", error.what()));
  }
}

Result<MachineDescription> load_machine(std::string_view preset, std::string_view directory) {
  const bool is_path = preset.find('/') != std::string_view::npos;
  const std::filesystem::path path =
      is_path ? std::filesystem::path(preset) : std::filesystem::path(directory) / text_of(preset, ".json");
  std::ifstream stream(path);
  if (!stream && is_path) {
    return failure(StatusCode::not_found, text_of("machine file ", preset, " cannot be read; check its path"));
  }
  if (!stream) {
    return failure(StatusCode::not_found,
                   text_of("machine \"", preset, "\" is unknown; ", directory, " has: ", names_in(directory),
                           "; or give the path of a machine file, with a '/'"));
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return parse_machine(text, path.string());
}

}  // namespace lbhm::emulator
