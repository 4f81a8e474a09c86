// Executions of basic blocks, as programs built with the plugin count them (lbhm/block_counts.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lbhm/block_counts.h"

namespace lbhm {

/// What a module told of itself. Copied: the module may be unloaded before the report is written.
struct BlockModule {
  std::uint64_t id = 0;
  std::string source;
  std::uint32_t first = 0;  ///< number of its first counter; they follow each other
  std::vector<lbhm_block> blocks;
  std::vector<std::string> functions;  ///< by counter
};

/// Executions by counter number.
using BlockCounts = std::vector<std::uint64_t>;

/// Counters of all modules so far. 0: no part of the program counts. No lock.
std::uint32_t block_counters();

/// The calling thread's counts since it began. No lock; allocates only if `counts` is too small.
void begin_block_counts(BlockCounts& counts);
/// What was counted since begin_block_counts wrote `counts`. 0 for modules that were unloaded since.
void end_block_counts(BlockCounts& counts);

/// All modules that there were, in the order of their counters.
std::vector<BlockModule> block_modules();

}  // namespace lbhm
