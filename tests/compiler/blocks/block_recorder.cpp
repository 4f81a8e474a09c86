#include "tests/compiler/blocks/block_recorder.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "lbhm/block_counts.h"

namespace {

/// Never destroyed: modules end after our destructors.
struct Recorder {
  std::mutex mutex;
  std::map<const lbhm_blocks*, std::vector<std::uint64_t>> modules;

  void keep() {
    for (auto& [module, sums] : modules) {
      std::uint64_t* counts = module->counts();
      for (std::uint64_t i = 0; i < module->count; ++i) {
        sums[i] += counts[i];
        counts[i] = 0;
      }
    }
  }
};

Recorder& recorder() {
  static auto* only = new Recorder;
  return *only;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void lbhm_blocks_v1(const lbhm_blocks* module) {
  std::lock_guard lock(recorder().mutex);
  recorder().modules[module].resize(module->count);
}

EXPORTED void lbhm_blocks_gone_v1(const lbhm_blocks* module) {
  std::lock_guard lock(recorder().mutex);
  recorder().keep();
  const std::vector<std::uint64_t>& sums = recorder().modules.at(module);
  std::printf("module id=%016" PRIx64 " source=%s counters=%" PRIu64 "\n", module->module, module->source,
              module->count);
  for (std::uint64_t i = 0; i < module->count; ++i) {
    const lbhm_block& block = module->blocks[i];
    std::printf("counter function=%s count=%" PRIu64 " per_call=%" PRIu64
                " bytes=%u depth=%u flags=%u first=%u "
                "last=%u instructions=%u slots=%u\n",
                module->names + block.name, sums[i], block.per_call, block.bytes, block.depth, block.flags,
                block.first_line, block.last_line, block.instructions, block.slots);
  }
  std::fflush(stdout);
  recorder().modules.erase(module);
}

EXPORTED void keep_counts() {
  std::lock_guard lock(recorder().mutex);
  recorder().keep();
}
