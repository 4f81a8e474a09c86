// Counters that ScalarEvolution cannot follow because not every iteration steps: out[n++] = x behind an if.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/patterns/nest.h"

namespace lbhm::compiler {

/// By how much (bytes for pointers) the phi at the loop's head moves if it moves: always the same way. Nothing if it is
/// computed in another manner.
std::optional<std::int64_t> steps_of_counter(const llvm::PHINode& phi, const llvm::Loop& loop);

}  // namespace lbhm::compiler
