// Which load a value is computed from: an address, or the condition of a branch.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

namespace lbhm::compiler {

class Dependences {
 public:
  Dependences(const llvm::TargetLibraryInfo& known, const llvm::LoopInfo& of, const llvm::DominatorTree& before,
              llvm::ScalarEvolution& with)
      : library(known), loops(of), dominators(before), evolution(with) {}

  /// The load that `value`, as `user` needs it, comes from through operations, phi nodes and local variables: the
  /// last one of the iteration that reads elsewhere in each iteration of the innermost loop, else the nearest such one
  /// of an earlier iteration, else the nearest one. In `p = p->next` it is the load itself, in `a[idx[i]]` that of
  /// idx[i]. Null: arguments, constants, results of calls.
  llvm::Instruction* source_of(llvm::Value& value, const llvm::Instruction& user) const;

  /// Whether `load` reads elsewhere in each iteration of the innermost loop around `user`.
  bool varies_around(llvm::Instruction& load, const llvm::Instruction& user) const;

 private:
  llvm::Instruction* last_varying(llvm::Value& value, const llvm::Instruction& user, bool same_iteration) const;
  llvm::Instruction* nearest(llvm::Value& value) const;
  bool has_site(llvm::Instruction& load) const;

  const llvm::TargetLibraryInfo& library;
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
};

}  // namespace lbhm::compiler
