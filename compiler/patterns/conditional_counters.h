// Counters that ScalarEvolution cannot follow because not every iteration steps: out[n++] = x behind an if, the two
// pointers of a merge.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/patterns/nest.h"
#include "llvm/IR/Value.h"

namespace lbhm::compiler {

struct CounterStep {
  std::int64_t step;  ///< bytes for pointers; the smallest, if there are several
  bool sometimes;     ///< there are iterations that do not step
};

/// By how much the phi at the loop's head moves: always the same way. Nothing if it is computed in another manner.
std::optional<CounterStep> steps_of_counter(const llvm::PHINode& phi, const llvm::Loop& loop);

}  // namespace lbhm::compiler
