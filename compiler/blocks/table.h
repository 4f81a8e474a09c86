// The table of a module's counters, and how the runtime learns of it.
#pragma once

#include <string>
#include <vector>

#include "compiler/blocks/counting.h"

namespace lbhm::compiler {

/// The prefix of the symbols that this part adds to a module.
constexpr const char* blocks_prefix = "__lbhm_blocks1_";

struct BlockTable {
  std::uint64_t code;  ///< hash of the module before it was changed
  const std::vector<TableEntry>& entries;
  const std::string& names;
};

/// Adds the array, in the place of `placeholder`, the table, and a constructor and a destructor that tell the runtime.
void add_block_table(llvm::Module& module, const BlockTable& table, llvm::GlobalVariable& placeholder);

}  // namespace lbhm::compiler
