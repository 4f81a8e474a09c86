#include "tests/compiler/recorder.h"

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
  std::set<std::uintptr_t> reads, writes, serial;
  std::set<std::uint64_t> sites;
  std::size_t entries = 0;
};

struct Sums {
  std::uint64_t instructions = 0, accesses = 0, vectors = 0, branches = 0, mispredictions = 0;
};

/// Never destroyed: programs may push until the very end.
struct Recorder {
  std::mutex mutex;
  std::vector<Block> blocks;
  std::map<lbhm_emu_thread*, std::vector<std::uint64_t>> buffers;
  Sums at_start;

  void note(std::uintptr_t address, std::uint64_t flags) {
    for (Block& block : blocks) {
      if (address < block.begin || address >= block.end) continue;
      std::uintptr_t line = (address - block.begin) / line_bytes;
      ((flags & LBHM_EMU_WRITE) != 0 ? block.writes : block.reads).insert(line);
      if ((flags & LBHM_EMU_SERIAL) != 0) block.serial.insert(line);
      block.sites.insert(flags >> LBHM_EMU_SITE_SHIFT);
      ++block.entries;
    }
  }

  void take(lbhm_emu_thread* thread) {
    std::vector<std::uint64_t>& buffer = buffers[thread];
    if (thread->owner != nullptr) {
      for (std::uint64_t* entry = buffer.data(); entry != thread->next; ++entry) {
        if (*entry != 0) note(*entry & LBHM_EMU_ADDRESS_MASK, *entry & ~LBHM_EMU_ADDRESS_MASK);
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

EXPORTED void lbhm_emu_refill_v1(lbhm_emu_thread* thread) {
  std::lock_guard lock(recorder().mutex);
  recorder().take(thread);
}

EXPORTED void lbhm_emu_range_v1(lbhm_emu_thread*, const void* address, std::uint64_t bytes, std::uint64_t flags) {
  if (bytes == 0) return;
  std::lock_guard lock(recorder().mutex);
  auto from = reinterpret_cast<std::uintptr_t>(address);
  for (std::uintptr_t at = from & ~(line_bytes - 1); at < from + bytes; at += line_bytes) {
    recorder().note(at < from ? from : at, flags);
  }
}

EXPORTED void watch(const char* name, const void* block, std::size_t bytes) {
  std::lock_guard lock(recorder().mutex);
  auto begin = reinterpret_cast<std::uintptr_t>(block);
  recorder().blocks.push_back({name, begin, begin + bytes, {}, {}, {}, {}});
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
    std::printf("block %s entries=%zu sites=%zu", block.name.c_str(), block.entries, block.sites.size());
    print("reads", block.reads);
    print("writes", block.writes);
    print("serial", block.serial);
    std::printf("\n");
  }
  Sums now = all.sums();
  std::printf("sums instructions=%lu accesses=%lu vectors=%lu branches=%lu mispredictions=%lu threads=%zu\n",
              now.instructions - all.at_start.instructions, now.accesses - all.at_start.accesses,
              now.vectors - all.at_start.vectors, now.branches - all.at_start.branches,
              now.mispredictions - all.at_start.mispredictions, all.buffers.size());
  std::fflush(stdout);
}
