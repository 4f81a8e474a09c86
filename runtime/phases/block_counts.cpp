#include "runtime/phases/block_counts.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "runtime/base/guarded.h"

namespace lbhm {
namespace {

/// More modules than this are not counted; LLVM itself has about 3,000.
constexpr std::size_t most_modules = 8192;

struct Entry {
  BlockModule module;
  /// Null while the module is not loaded.
  std::atomic<const lbhm_blocks*> loaded{nullptr};
  std::atomic<int> readers{0};
};

/// Modules come before our constructors run and go after our destructors: constant initialisation, never destroyed.
constinit std::mutex change;
constinit std::array<std::atomic<Entry*>, most_modules> entries{};
constinit std::atomic<std::uint32_t> modules{0};
constinit std::atomic<std::uint32_t> counters{0};

std::span<std::atomic<Entry*>> known() { return std::span(entries).first(modules.load(std::memory_order_acquire)); }

BlockModule copy_of(const lbhm_blocks& from, std::uint32_t first) {
  BlockModule module{.id = from.module, .source = from.source, .first = first, .blocks = {}, .functions = {}};
  module.blocks.assign(from.blocks, from.blocks + from.count);
  for (const lbhm_block& block : module.blocks) module.functions.emplace_back(from.names + block.name);
  return module;
}

/// A module that was unloaded and comes back has its numbers again.
Entry* earlier(const lbhm_blocks& module) {
  for (Entry* entry : known()) {
    if (!entry->loaded.load() && entry->module.id == module.module && entry->module.blocks.size() == module.count)
      return entry;
  }
  return nullptr;
}

void add(const lbhm_blocks& module) {
  const std::lock_guard lock(change);
  if (Entry* entry = earlier(module)) return entry->loaded.store(&module);
  const std::uint32_t place = modules.load();
  if (place == most_modules) return;
  const std::uint32_t first = counters.load();
  auto fresh = std::make_unique<Entry>();
  fresh->module = copy_of(module, first);
  fresh->loaded.store(&module);
  entries[place].store(fresh.release());
  modules.store(place + 1, std::memory_order_release);
  counters.store(first + static_cast<std::uint32_t>(module.count), std::memory_order_release);
  if (place + 1 == most_modules)
    say("the program has more than " + std::to_string(most_modules) +
        " modules that count basic blocks: the blocks of the others are not counted");
}

/// Waits for threads that are reading the module's counts: its code is about to go.
void remove(const lbhm_blocks& module) {
  const std::lock_guard lock(change);
  for (Entry* entry : known()) {
    if (entry->loaded.load() != &module) continue;
    entry->loaded.store(nullptr);
    while (entry->readers.load() > 0) std::this_thread::yield();
  }
}

/// counts[i] = combine(what the thread has counted, counts[i]). Counters that are new to `counts` have 0 in it.
template <typename Combine>
void read(BlockCounts& counts, Combine combine) {
  for (Entry* entry : known()) {
    const std::size_t first = entry->module.first;
    const std::size_t size = entry->module.blocks.size();
    if (counts.size() < first + size) counts.resize(first + size);
    entry->readers.fetch_add(1);
    const lbhm_blocks* module = entry->loaded.load();
    const std::uint64_t* now = module ? module->counts() : nullptr;
    for (std::size_t i = 0; i < size; ++i) counts[first + i] = now ? combine(now[i], counts[first + i]) : 0;
    entry->readers.fetch_sub(1);
  }
}

}  // namespace

std::uint32_t block_counters() { return counters.load(std::memory_order_acquire); }

void begin_block_counts(BlockCounts& counts) {
  counts.clear();  // keeps its room
  read(counts, [](std::uint64_t now, std::uint64_t) { return now; });
}

void end_block_counts(BlockCounts& counts) {
  read(counts, [](std::uint64_t now, std::uint64_t then) { return now >= then ? now - then : 0; });
}

std::vector<BlockModule> block_modules() {
  const std::lock_guard lock(change);
  std::vector<BlockModule> all;
  for (const Entry* entry : known()) all.push_back(entry->module);
  return all;
}

}  // namespace lbhm

#define LBHM_ENTRY extern "C" __attribute__((visibility("default")))

LBHM_ENTRY void lbhm_blocks_v1(const lbhm_blocks* module) {
  lbhm::guarded([=] { lbhm::add(*module); });
}

LBHM_ENTRY void lbhm_blocks_gone_v1(const lbhm_blocks* module) {
  lbhm::guarded([=] { lbhm::remove(*module); });
}
