#include "tests/compiler/line_recorder.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "lbhm/instrumentation.h"

namespace {

constexpr std::size_t buffer_entries = 1024;
constexpr std::uintptr_t line_bytes = 64;

struct Block {
  std::string name;
  std::uintptr_t begin, end;
  std::set<std::uintptr_t> reads, writes;
  std::set<std::uint64_t> sites;
  std::size_t entries = 0;
};

struct Sums {
  std::uint64_t instructions = 0, slots = 0, chain = 0, additions = 0, units = 0, accesses = 0, vectors = 0,
                branches = 0, mispredictions = 0;
};

/// Never destroyed: programs may push until the very end.
struct Recorder {
  std::mutex mutex;
  std::vector<Block> blocks;
  std::map<lbhm_emu_thread*, std::vector<std::uint64_t>> buffers;
  std::multimap<std::uint64_t, lbhm_emu_site> sites;  ///< what the modules say of them, by number
  std::map<std::uint64_t, std::size_t> branches;      ///< mispredicted ones, by the load that decides
  std::size_t modules = 0, orders = 0, order_ends = 0;
  Sums at_start;

  void note(std::uint64_t entry) {
    std::uint64_t site = entry >> LBHM_EMU_SITE_SHIFT;
    if ((entry & LBHM_EMU_BRANCH) != 0) {
      ++branches[site];
      return;
    }
    std::uintptr_t address = entry & LBHM_EMU_ADDRESS_MASK;
    for (Block& block : blocks) {
      if (address < block.begin || address >= block.end) continue;
      ((entry & LBHM_EMU_WRITE) != 0 ? block.writes : block.reads).insert((address - block.begin) / line_bytes);
      block.sites.insert(site);
      ++block.entries;
    }
  }

  /// The blocks that a site touched.
  std::string blocks_of(std::uint64_t site) const {
    std::string names;
    for (const Block& block : blocks) {
      if (block.sites.contains(site)) names += block.name + ",";
    }
    return names;
  }

  /// The blocks from which the addresses of accesses to this block come.
  std::string sources_of(const Block& block, bool& nontemporal) const {
    std::set<std::string> names;
    for (std::uint64_t site : block.sites) {
      auto [first, last] = sites.equal_range(site);
      for (auto at = first; at != last; ++at) {
        nontemporal |= (at->second.flags & LBHM_EMU_SITE_NONTEMPORAL) != 0;
        if (at->second.address_from != 0) names.insert(blocks_of(at->second.address_from));
      }
    }
    std::string all;
    for (const std::string& name : names) all += name;
    return all;
  }

  void take(lbhm_emu_thread* thread) {
    std::vector<std::uint64_t>& buffer = buffers[thread];
    if (thread->owner != nullptr) {
      for (std::uint64_t* entry = buffer.data(); entry != thread->next; ++entry) {
        if (*entry != 0) note(*entry);
      }
    }
    buffer.resize(buffer_entries);
    thread->owner = this;
    thread->next = buffer.data();
    thread->limit = buffer.data() + buffer_entries - LBHM_EMU_SINK;
  }

  Sums sums() const {
    Sums all;
    for (const auto& [thread, buffer] : buffers) {
      all.instructions += thread->instructions;
      all.slots += thread->slots;
      all.chain += thread->chain;
      all.additions += thread->additions;
      all.units += thread->units;
      all.accesses += thread->accesses;
      all.vectors += thread->vectors;
      all.branches += thread->branches;
      all.mispredictions += thread->mispredictions;
    }
    return all;
  }
};

Recorder& recorder() {
  static auto* only = new Recorder;
  return *only;
}

void print(const char* what, const std::set<std::uintptr_t>& lines) {
  std::printf(" %s=", what);
  for (std::uintptr_t line : lines) std::printf("%lu,", line);
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void lbhm_emu_refill_v2(lbhm_emu_thread* thread) {
  std::lock_guard lock(recorder().mutex);
  recorder().take(thread);
}

EXPORTED void lbhm_emu_range_v2(lbhm_emu_thread*, const void* address, std::uint64_t bytes, std::uint64_t flags) {
  if (bytes == 0) return;
  std::lock_guard lock(recorder().mutex);
  auto from = reinterpret_cast<std::uintptr_t>(address);
  for (std::uintptr_t at = from & ~(line_bytes - 1); at < from + bytes; at += line_bytes) {
    recorder().note((at < from ? from : at) | flags);
  }
}

EXPORTED void lbhm_emu_module_v2(const lbhm_emu_site* first, const lbhm_emu_site* last) {
  std::lock_guard lock(recorder().mutex);
  ++recorder().modules;
  for (; first != last; ++first) recorder().sites.emplace(first->number, *first);
}

EXPORTED void lbhm_emu_order_v2(lbhm_emu_thread*) {
  std::lock_guard lock(recorder().mutex);
  ++recorder().orders;
}

EXPORTED void lbhm_emu_order_end_v2(lbhm_emu_thread*) {
  std::lock_guard lock(recorder().mutex);
  ++recorder().order_ends;
}

EXPORTED void watch(const char* name, const void* block, std::size_t bytes) {
  std::lock_guard lock(recorder().mutex);
  auto begin = reinterpret_cast<std::uintptr_t>(block);
  recorder().blocks.push_back({name, begin, begin + bytes, {}, {}, {}});
}

EXPORTED void forget() {
  std::lock_guard lock(recorder().mutex);
  for (auto& [thread, buffer] : recorder().buffers) recorder().take(thread);
  recorder().branches.clear();
  for (Block& block : recorder().blocks) block = {block.name, block.begin, block.end, {}, {}, {}};
}

EXPORTED void start() {
  std::lock_guard lock(recorder().mutex);
  recorder().at_start = recorder().sums();
}

EXPORTED void report() {
  std::lock_guard lock(recorder().mutex);
  Recorder& all = recorder();
  for (auto& [thread, buffer] : all.buffers) all.take(thread);
  for (const Block& block : all.blocks) {
    bool nontemporal = false;
    std::string from = all.sources_of(block, nontemporal);
    std::printf("block %s entries=%zu sites=%zu nontemporal=%d from=%s", block.name.c_str(), block.entries,
                block.sites.size(), nontemporal, from.c_str());
    print("reads", block.reads);
    print("writes", block.writes);
    std::printf("\n");
  }
  for (const auto& [site, count] : all.branches)
    std::printf("branch %s%zu\n", site == 0 ? "none,=" : (all.blocks_of(site) + "=").c_str(), count);
  Sums now = all.sums();
  std::printf("sums instructions=%lu slots=%lu chain=%lu accesses=%lu vectors=%lu branches=%lu mispredictions=%lu",
              now.instructions - all.at_start.instructions, now.slots - all.at_start.slots,
              now.chain - all.at_start.chain, now.accesses - all.at_start.accesses, now.vectors - all.at_start.vectors,
              now.branches - all.at_start.branches, now.mispredictions - all.at_start.mispredictions);
  std::printf(" additions=%lu units=%lu", now.additions - all.at_start.additions, now.units - all.at_start.units);
  std::printf(" threads=%zu modules=%zu orders=%zu order_ends=%zu\n", all.buffers.size(), all.modules, all.orders,
              all.order_ends);
  std::fflush(stdout);
}
