// The counters of one module: what is inserted into its functions, and what the runtime is told of them.
#pragma once

#include <string>
#include <vector>

#include "compiler/blocks/block_plan.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// A counter of a function, for the module's table.
struct TableEntry {
  std::uint64_t function;
  std::uint32_t name;
  StaticBlockFacts facts;
};

class BlockCounting {
 public:
  /// Before anything of the module is changed: the module's number is a hash of its code.
  explicit BlockCounting(llvm::Module& of);

  /// Inserts the counting. Adds instructions only: the blocks stay as they are.
  void count(llvm::Function& function, BlockPlan plan);
  /// Adds array, table, constructor and destructor, once all functions are counted.
  void finish();

 private:
  void describe(const llvm::Function& function, const BlockPlan& plan);

  llvm::Module& module;
  std::uint64_t code;            ///< hash
  llvm::GlobalVariable* counts;  ///< stands for the array until its length is known
  std::vector<TableEntry> entries;
  std::string names;
};

// The table of a module's counters, and how the runtime learns of it.

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
