// The door host.h: puts the parts of this computer's machine together.
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "runtime/base/fingerprint.h"
#include "runtime/host/discovery.h"
#include "runtime/host/host.h"
#include "runtime/host/linux_machine.h"
#include "runtime/host/memory_calls.h"
#include "runtime/host/sysfs.h"

namespace lbhm {
namespace {

Status wrong(const std::string& variable, const std::string& value, const std::string& expected) {
  return {StatusCode::invalid_argument, variable + "=" + value + " is not " + expected + "; correct it or unset it"};
}

/// Of what a model's figures hang on: the processor, and which nodes are how fast. Not of what is free of them.
std::string fingerprint_of(const host::Discovery& found, const host::Sysfs& sysfs) {
  Fingerprint print;
  const std::string processor = sysfs.text("proc/cpuinfo").value_or("");
  const std::size_t name = processor.find("model name");
  if (name != std::string::npos) print.add(std::string_view(processor).substr(name, processor.find('\n', name) - name));
  for (const host::HostTier& tier : found.tiers) {
    print.add("/");
    for (const int node : tier.nodes) print.add(std::to_string(node) + ",");
    for (const double figure : {tier.tier.latency_sequential.value, tier.tier.latency_random.value,
                                tier.tier.read_bandwidth.value, tier.tier.write_bandwidth.value})
      print.add(std::to_string(figure) + ",");
  }
  return print.hex();
}

Topology topology_of(const host::Discovery& found, const host::Sysfs& sysfs) {
  Topology topology{.name = "host", .description = "this computer", .tiers = {}};
  topology.page = Bytes(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  topology.hardware_threads = std::max(1u, std::thread::hardware_concurrency());
  for (const host::HostTier& tier : found.tiers) topology.tiers.push_back(tier.tier);
  topology.fingerprint = fingerprint_of(found, sysfs);
  return topology;
}

Result<host::HugePages> huge_pages(const std::string& word) {
  if (word == "kernel") return host::HugePages::kernel;
  if (word == "on") return host::HugePages::on;
  if (word == "off") return host::HugePages::off;
  return std::unexpected(wrong("LBHM_HUGE_PAGES", word, "kernel, on or off"));
}

Bytes size_of(const host::HostTier& tier, const std::vector<host::MemoryNode>& nodes) {
  Bytes size;
  for (const int node : tier.nodes) size += host::find_node(nodes, node)->total;
  return size;
}

/// What others of us have of a tier is not free, but it is part of what all share.
void limit(host::Discovery& found, const HostOptions& options, host::Ledger& ledger) {
  for (std::size_t tier = 0; tier < found.tiers.size(); ++tier) {
    Bytes& capacity = found.tiers[tier].tier.capacity;
    capacity += ledger.taken(TierId(static_cast<std::uint8_t>(tier)));
    capacity = std::min(capacity, size_of(found.tiers[tier], found.nodes));
    if (tier == 0 && options.fast_capacity) capacity = std::min(capacity, *options.fast_capacity);
  }
}

/// What small objects may have of each tier.
std::vector<Bytes> block_limits(const Topology& topology, std::optional<Bytes> most) {
  std::vector<Bytes> limits;
  limits.reserve(topology.tiers.size());
  for (const Tier& tier : topology.tiers) limits.push_back(std::min(tier.capacity, most.value_or(tier.capacity)));
  return limits;
}

/// What the sources of samples may ask of the parts that there are already.
HostServices services_of(const host::LinuxParts& parts) {
  return {.where = [memory = parts.memory.get()](auto pages, auto out) { memory->where(pages, out); },
          .managed =
              [memory = parts.memory.get(), in_use = parts.in_use](const UseRanges& use) {
                // A sampler waits for nobody: it watches a moment later.
                const std::unique_lock alone(*in_use, std::try_to_lock);
                if (alone) use(memory->reserved());
              },
          .now = [clock = parts.clock] { return clock.now(); }};
}

}  // namespace

Result<std::unique_ptr<Machine>> make_host_machine(const HostOptions& options) {
  const auto spread = host::parse_spread(options.spread);
  if (!spread) return std::unexpected(wrong("LBHM_SPREAD", options.spread, "nearest, bind, interleave or weighted"));
  const auto huge = huge_pages(options.huge_pages);
  if (!huge) return std::unexpected(huge.error());
  auto found = host::discover(options);
  if (!found) return std::unexpected(found.error());
  if (found->tiers.size() < 2) return make_host_machine(std::move(found->remarks), std::move(found->limit));
  if (const Status libnuma = host::open_libnuma(); !libnuma.ok()) {
    found->remarks.push_back(libnuma.message());
    return make_host_machine(std::move(found->remarks));
  }

  std::string why;
  auto ledger = host::Ledger::open("/dev/shm", host::ledger_name(found->tiers), why);
  if (!why.empty()) found->remarks.push_back("fast memory is not shared out among processes: " + why);
  limit(*found, options, *ledger);
  host::LinuxParts parts;
  parts.topology = topology_of(*found, host::Sysfs(options.root));
  parts.remarks = std::move(found->remarks);
  parts.memory = std::make_unique<host::TieredMemory>(host::TieredMemoryOptions{.nodes = std::move(found->nodes),
                                                                                .tiers = std::move(found->tiers),
                                                                                .spread = *spread,
                                                                                .huge_pages = *huge,
                                                                                .root = options.root,
                                                                                .ledger = std::move(ledger)});
  parts.heaps = std::make_unique<host::TierHeaps>(*parts.memory, block_limits(parts.topology, options.small_objects),
                                                  options.heap);
  if (options.sources) {
    auto sources = options.sources(services_of(parts));
    if (!sources) return std::unexpected(sources.error());
    parts.sources = std::move(*sources);
  }
  parts.counters = std::make_unique<host::Counters>();
  return host::make_linux_machine(std::move(parts));
}

}  // namespace lbhm
