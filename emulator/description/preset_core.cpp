#include "emulator/description/preset_core.h"

#include <bit>

#include "lbhm/instrumentation.h"

namespace lbhm::emulator {
namespace {

/// Levels that are looked up with every access need a power of two of sets.
CacheShape read_cache(const Node& node, bool any_sets) {
  const std::uint64_t bytes = node.whole("bytes", 64, 0x1p32);
  const std::uint64_t ways = node.whole("ways", 1, 31);
  const std::uint64_t sets = (bytes >> line_bits) / ways;
  if (sets == 0 || (sets * ways) << line_bits != bytes || (!any_sets && !std::has_single_bit(sets))) {
    throw Malformed{node.complaint(
        node.path("bytes"), text_of("is ", bytes, "; it must be 64 bytes x ", ways,
                                    any_sets ? " ways x a whole number of sets" : " ways x a power of two of sets"))};
  }
  return {.sets = static_cast<std::uint32_t>(sets), .ways = static_cast<std::uint32_t>(ways)};
}

void read_caches(const Node& caches, CoreShape& core) {
  caches.allow_only({"l1", "l2", "llc"});
  const Node l1 = caches.child("l1");
  const Node l2 = caches.child("l2");
  const Node llc = caches.child("llc");
  l1.allow_only({"bytes", "ways", "latency_cycles"});
  l2.allow_only({"bytes", "ways", "latency_cycles", "cycles_per_line"});
  llc.allow_only({"sharing", "bytes", "ways", "latency_cycles", "cycles_per_line"});
  const std::string sharing = llc.text("sharing");
  if (sharing != "slice" && sharing != "shared") {
    throw Malformed{llc.complaint(llc.path("sharing"), "must be \"slice\" or \"shared\"")};
  }
  core.llc_shared = sharing == "shared";
  core.l1 = read_cache(l1, false);
  core.l2 = read_cache(l2, false);
  core.llc = read_cache(llc, true);
  core.l1_latency_cycles = l1.number("latency_cycles", 0, 1e4);
  core.l2_latency_cycles = l2.number("latency_cycles", core.l1_latency_cycles, 1e4);
  core.llc_latency_cycles = llc.number("latency_cycles", core.l2_latency_cycles, 1e4);
  if (l2.has("cycles_per_line")) core.l2_cycles_per_line = l2.number("cycles_per_line", 0, 1e4);
  if (llc.has("cycles_per_line")) core.llc_cycles_per_line = llc.number("cycles_per_line", 0, 1e4);
}

void read_tlb(const Node& tlb, CoreShape& core) {
  tlb.allow_only({"entries", "ways", "walk_cycles"});
  core.walk_cycles = tlb.number("walk_cycles", 0, 1e4);
  const std::uint32_t entries = tlb.small("entries", 1, 1 << 20);
  const std::uint32_t ways = tlb.small("ways", 1, 31);
  core.tlb = {.sets = entries / ways, .ways = ways};
  if (core.tlb.sets * ways != entries || !std::has_single_bit(core.tlb.sets)) {
    throw Malformed{
        tlb.complaint(tlb.path("entries"), text_of("is ", entries, "; it must be ", ways, " ways x a power of two"))};
  }
}

}  // namespace

CoreShape read_core(const Node& root) {
  const Node node = root.child("core");
  node.allow_only({"frequency_ghz", "hardware_threads", "dispatch_width", "reorder_window", "fill_buffers",
                   "write_buffer", "misprediction_cycles", "addition_cycles"});
  const Node prefetcher = root.child("prefetcher");
  prefetcher.allow_only({"distance", "maximum_stride_lines"});
  CoreShape core;
  core.dispatch_width = node.number("dispatch_width", 0.1, 64);
  // As Skylake, unless the machine says something else.
  core.addition_cycles = node.has("addition_cycles") ? node.number("addition_cycles", 1, LBHM_EMU_ADDITION) : 4;
  core.misprediction_cycles = node.number("misprediction_cycles", 0, 1e4);
  core.reorder_window = node.small("reorder_window", 1, 1e5);
  core.fill_buffers = node.small("fill_buffers", 1, FillBuffers::maximum);
  core.write_buffer = node.small("write_buffer", 1, WriteBuffer::maximum_size);
  core.prefetcher = {.distance = prefetcher.small("distance", 0, Prefetcher::maximum_distance),
                     .maximum_stride = prefetcher.small("maximum_stride_lines", 1, 1e6)};
  read_caches(root.child("caches"), core);
  read_tlb(root.child("tlb"), core);
  return core;
}

}  // namespace lbhm::emulator
