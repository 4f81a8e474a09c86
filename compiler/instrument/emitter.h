// Inserts what a plan says.
#pragma once

#include <vector>

#include "compiler/instrument/added_code.h"
#include "compiler/instrument/instrumentation_plan.h"
#include "compiler/link/buffer_symbols.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace lbhm::compiler {

// The thread's buffer as one function sees it: `next` and the branch history in registers, the counters in struct
// lbhm_emu_thread itself.
//
// Adding a constant to a thread-local counter is one instruction and takes no register; hot loops have trip counts in
// registers instead (instrumentation_plan.h).

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

// The counters of innermost loops: trip counts in registers, multiplied by the costs of an iteration at the exits.

/// counters += times * cost; the slots are left to the caller
void add_counts(Locals& locals, llvm::IRBuilder<>& builder, const BlockCost& cost, llvm::Value* times);

class LoopCounter {
 public:
  /// Inserts the counting into the loop.
  LoopCounter(Locals& held, const CountedLoop& counted);

  /// Iterations since the loop was entered.
  llvm::Value* iterations(llvm::IRBuilder<>& builder) const;
  /// Registers -> counters; `left`: the loop is over.
  void flush(llvm::IRBuilder<>& builder, bool left);
  void flush_at_exits();

 private:
  llvm::Value* take(llvm::IRBuilder<>& builder, llvm::AllocaInst* variable);
  void add_chain(llvm::IRBuilder<>& builder, llvm::Value* times, llvm::Value* slots, bool left);

  Locals& locals;
  const CountedLoop& loop;
  llvm::SmallVector<llvm::AllocaInst*, 4> trips;
  llvm::AllocaInst* flushed;  ///< iterations that the counters have already, since the loop was entered
};

// Inserts what a plan says.

void emit(llvm::Function& function, const FunctionPlan& plan, const ModuleSymbols& symbols);

}  // namespace lbhm::compiler
