// How an address moves from one iteration to the next: its steps in the loops around it.
#pragma once

#include "compiler/patterns/resolver.h"

namespace lbhm::compiler {

/// In one loop, or from one value of a slow quotient to the next, which is like a loop around it.
struct Step {
  const llvm::Loop* loop;
  const llvm::SCEV* bytes;
  bool outer = false;  ///< the quotient's
};

struct Address {
  const llvm::SCEV* expression = nullptr;             ///< resolved; null if ScalarEvolution does not look at it
  const llvm::SCEV* base = nullptr;                   ///< the pointer that it is counted from
  llvm::SmallVector<Step, 4> steps;                   ///< innermost loop first
  llvm::SmallPtrSet<const llvm::Loop*, 2> scrambled;  ///< by whose counters it moves in a way without steps
  llvm::SmallVector<const llvm::Value*, 4> leaves;

  /// The bytes that it moves in the loop; null if none.
  const llvm::SCEV* step_in(const llvm::Loop& loop) const;
  /// Whether one of the values that it is made of is another one in the next iteration.
  bool changes_by_value(const llvm::Loop& loop, const Resolver& resolver) const;
};

Address find_address(const llvm::Value& pointer, const llvm::Loop& around, const Nest& nest, Resolver& resolver);

}  // namespace lbhm::compiler
