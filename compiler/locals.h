// The thread's buffer as one function sees it: `next` and the branch history in registers, the counters in struct
// lbhm_emu_thread itself.
//
// Adding a constant to a thread-local counter is one instruction and takes no register; hot loops have trip counts in
// registers instead (counters.h).
#pragma once

#include "compiler/module_symbols.h"
#include "compiler/variables.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace lbhm::compiler {

class Locals {
 public:
  /// `in_registers`: fields that the function uses so often that it keeps them in registers between calls.
  Locals(llvm::Function& of, const ModuleSymbols& with, llvm::ArrayRef<ThreadField> in_registers);

  /// A new 64-bit variable with this value at the function's entry.
  llvm::AllocaInst* variable(const llvm::Twine& name, std::uint64_t initial) { return variables.number(name, initial); }

  llvm::Value* load(llvm::IRBuilder<>& builder, ThreadField which) const;
  void store(llvm::IRBuilder<>& builder, llvm::Value* value, ThreadField which) const;
  /// counter += value, in memory
  void add(llvm::IRBuilder<>& builder, ThreadField counter, llvm::Value* value) const;
  /// registers -> memory
  void write_back(llvm::IRBuilder<>& builder) const;
  /// memory -> registers
  void reload(llvm::IRBuilder<>& builder) const;

  llvm::Value* thread_address() const { return thread; }
  /// Its place in memory.
  llvm::Value* field(llvm::IRBuilder<>& builder, ThreadField which) const;
  /// Where the code of a block begins; in the entry block below our variables.
  llvm::Instruction* start_of(llvm::BasicBlock& block) const { return variables.start_of(block); }

  /// Turns the variables into registers.
  void promote() { variables.promote(); }

 private:
  struct Register {
    ThreadField which;
    llvm::AllocaInst* variable;
  };

  llvm::Type* type_of(ThreadField which) const { return symbols.thread_type->getElementType(which); }

  const ModuleSymbols& symbols;
  Variables variables;
  llvm::Value* thread;
  llvm::SmallVector<Register, 2> registers;
};

}  // namespace lbhm::compiler
