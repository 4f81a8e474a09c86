// Which load a value is computed from: an address, or the condition of a branch.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace lbhm::compiler {

class Dependences {
 public:
  Dependences(const llvm::TargetLibraryInfo& known, const llvm::LoopInfo& of, llvm::ScalarEvolution& with)
      : library(known), loops(of), evolution(with) {}

  /// The load that `value`, as `user` needs it, comes from through operations, phi nodes and local variables: the
  /// nearest one that reads elsewhere in each iteration of the innermost loop, else the nearest one. In `p = p->next`
  /// it is the load itself, in `a[idx[i]]` that of idx[i]. Null: arguments, constants, results of calls.
  llvm::Instruction* source_of(llvm::Value& value, const llvm::Instruction& user) const;

  /// Whether `load` reads elsewhere in each iteration of the innermost loop around `user`.
  bool varies_around(llvm::Instruction& load, const llvm::Instruction& user) const;

 private:
  bool has_site(llvm::Instruction& load) const;

  const llvm::TargetLibraryInfo& library;
  const llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
};

}  // namespace lbhm::compiler
