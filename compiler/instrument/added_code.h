// Code that the plugins add: how it is recognised, and its variables.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

// Which instructions are our own, added before the instrumentation: they are neither counted nor instrumented.

/// Calls of functions with our prefix, accesses to variables with it, and what is computed from such loads alone: a
/// look at a switch with its branch, a counter that is increased.
bool is_added(const llvm::Instruction& instruction);

// Variables of our own in a function of the program: allocas at first, registers at last.

class Variables {
 public:
  /// Moves the function's own allocas to the top: blocks will be split, and one below a split would become dynamic.
  explicit Variables(llvm::Function& of);

  llvm::AllocaInst* add(llvm::Type* type, const llvm::Twine& name);
  /// A new 64-bit variable with this value at the function's entry.
  llvm::AllocaInst* number(const llvm::Twine& name, std::uint64_t initial);
  /// Where the code of a block begins; in the entry block below our variables.
  llvm::Instruction* start_of(llvm::BasicBlock& block) const;
  /// The first instruction of the program's own entry block.
  llvm::Instruction* body() const { return first; }
  /// Turns the variables into registers.
  void promote();

 private:
  llvm::Function& function;
  llvm::Instruction* first;
  std::vector<llvm::AllocaInst*> all;
};

/// The calling thread's instance of a thread-local. In a shared library every use of one is a call: there it is made
/// once, where `builder` stands. In a program it is an offset.
llvm::Value* thread_local_address(llvm::IRBuilderBase& builder, llvm::GlobalVariable& of);

}  // namespace lbhm::compiler
