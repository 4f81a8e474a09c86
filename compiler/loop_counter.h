// The counters of innermost loops: trip counts in registers, multiplied by the costs of an iteration at the exits.
#pragma once

#include <vector>

#include "compiler/locals.h"
#include "compiler/plan.h"

namespace lbhm::compiler {

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

}  // namespace lbhm::compiler
