#include "emulator/description/preset_core.h"

#include <bit>

#include "lbhm/instrumentation.h"

namespace lbhm::emulator {
namespace {

/// Levels that are looked up with every access need a power of two of sets.
CacheShape read_cache(const JsonAt& node, bool any_sets) {
  const std::uint64_t bytes = whole_of(node, "bytes", 64, 1ull << 32);
  const std::uint64_t ways = whole_of(node, "ways", 1, 31);
  const std::uint64_t sets = (bytes >> line_bits) / ways;
  if (sets == 0 || (sets * ways) << line_bits != bytes || (!any_sets && !std::has_single_bit(sets))) {
    node["bytes"].refuse(text_of("is ", bytes, "; it must be 64 bytes x ", ways,
                                 any_sets ? " ways x a whole number of sets" : " ways x a power of two of sets"));
  }
  return {.sets = static_cast<std::uint32_t>(sets), .ways = static_cast<std::uint32_t>(ways)};
}

void read_caches(const JsonAt& caches, CoreShape& core) {
  caches.allow_only({"l1", "l2", "llc"}, machine_schema);
  const JsonAt l1 = caches["l1"];
  const JsonAt l2 = caches["l2"];
  const JsonAt llc = caches["llc"];
  l1.allow_only({"bytes", "ways", "latency_cycles"}, machine_schema);
  l2.allow_only({"bytes", "ways", "latency_cycles", "cycles_per_line"}, machine_schema);
  llc.allow_only({"sharing", "bytes", "ways", "latency_cycles", "cycles_per_line"}, machine_schema);
  const std::string sharing = llc["sharing"].filled_text();
  if (sharing != "slice" && sharing != "shared") llc["sharing"].refuse("must be \"slice\" or \"shared\"");
  core.llc_shared = sharing == "shared";
  core.l1 = read_cache(l1, false);
  core.l2 = read_cache(l2, false);
  core.llc = read_cache(llc, true);
  core.l1_latency_cycles = number_of(l1, "latency_cycles", 0, 1e4);
  core.l2_latency_cycles = number_of(l2, "latency_cycles", core.l1_latency_cycles, 1e4);
  core.llc_latency_cycles = number_of(llc, "latency_cycles", core.l2_latency_cycles, 1e4);
  if (l2.has("cycles_per_line")) core.l2_cycles_per_line = number_of(l2, "cycles_per_line", 0, 1e4);
  if (llc.has("cycles_per_line")) core.llc_cycles_per_line = number_of(llc, "cycles_per_line", 0, 1e4);
}

void read_tlb(const JsonAt& tlb, CoreShape& core) {
  tlb.allow_only({"entries", "ways", "walk_cycles"}, machine_schema);
  core.walk_cycles = number_of(tlb, "walk_cycles", 0, 1e4);
  const std::uint32_t entries = small_of(tlb, "entries", 1, 1 << 20);
  const std::uint32_t ways = small_of(tlb, "ways", 1, 31);
  core.tlb = {.sets = entries / ways, .ways = ways};
  if (core.tlb.sets * ways != entries || !std::has_single_bit(core.tlb.sets)) {
    tlb["entries"].refuse(text_of("is ", entries, "; it must be ", ways, " ways x a power of two"));
  }
}

}  // namespace

CoreShape read_core(const JsonAt& root) {
  const JsonAt node = root["core"];
  node.allow_only({"frequency_ghz", "hardware_threads", "dispatch_width", "reorder_window", "fill_buffers",
                   "write_buffer", "misprediction_cycles", "addition_cycles"},
                  machine_schema);
  const JsonAt prefetcher = root["prefetcher"];
  prefetcher.allow_only({"distance", "maximum_stride_lines"}, machine_schema);
  CoreShape core;
  core.dispatch_width = number_of(node, "dispatch_width", 0.1, 64);
  // As Skylake, unless the machine says something else.
  core.addition_cycles = node.has("addition_cycles") ? number_of(node, "addition_cycles", 1, LBHM_EMU_ADDITION) : 4;
  core.misprediction_cycles = number_of(node, "misprediction_cycles", 0, 1e4);
  core.reorder_window = small_of(node, "reorder_window", 1, 100'000);
  core.fill_buffers = small_of(node, "fill_buffers", 1, FillBuffers::maximum);
  core.write_buffer = small_of(node, "write_buffer", 1, WriteBuffer::maximum_size);
  core.prefetcher = {.distance = small_of(prefetcher, "distance", 0, Prefetcher::maximum_distance),
                     .maximum_stride = small_of(prefetcher, "maximum_stride_lines", 1, 1'000'000)};
  read_caches(root["caches"], core);
  read_tlb(root["tlb"], core);
  return core;
}

}  // namespace lbhm::emulator
