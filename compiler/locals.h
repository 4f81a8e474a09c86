// The thread's buffer as one function sees it: `next` in a register, the counters in struct lbhm_emu_thread itself.
//
// Adding a constant to a thread-local counter is one instruction and takes no register; hot loops have trip counts in
// registers instead (counters.h).
#pragma once

#include <vector>

#include "compiler/module_symbols.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace lbhm::compiler {

class Locals {
 public:
  /// Moves the function's own allocas to the top: blocks will be split, and one below a split would become dynamic.
  Locals(llvm::Function& of, const ModuleSymbols& with);

  /// A new 64-bit variable with this value at the function's entry.
  llvm::AllocaInst* variable(const llvm::Twine& name, std::uint64_t initial);
  /// The variable that holds `next`; made at the first use. Only functions that push have it.
  llvm::AllocaInst* next();

  /// counter += value, in memory
  void add(llvm::IRBuilder<>& builder, ThreadField counter, llvm::Value* value);
  /// next -> memory
  void write_back(llvm::IRBuilder<>& builder);
  /// memory -> next
  void reload(llvm::IRBuilder<>& builder);

  llvm::Value* thread_address() const { return thread; }
  llvm::Value* field(llvm::IRBuilder<>& builder, ThreadField which) const;
  /// Where the code of a block begins; in the entry block below our variables.
  llvm::Instruction* start_of(llvm::BasicBlock& block) const;

  /// Turns the variables into registers.
  void promote();

 private:
  llvm::Function& function;
  const ModuleSymbols& symbols;
  llvm::Instruction* body;  ///< the first instruction of the program's own entry block
  llvm::Value* thread;
  llvm::AllocaInst* next_variable = nullptr;
  std::vector<llvm::AllocaInst*> variables;
};

}  // namespace lbhm::compiler
