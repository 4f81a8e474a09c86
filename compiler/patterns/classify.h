// Which pattern one access has: the definitions of docs/patterns.md.
#pragma once

#include <string>

#include "compiler/access.h"
#include "compiler/patterns/address.h"
#include "lbhm/access_pattern.h"

namespace lbhm::compiler {

/// A step towards a neighbour: how many steps of each of the nest's loops, outermost first.
using Neighbour = llvm::SmallVector<std::int64_t, 4>;

struct NestAccess {
  Access access;
  const llvm::Loop* loop = nullptr;  ///< the innermost one around it
  Address address;
  std::uint64_t element = 0;  ///< bytes
  bool write = false;
  AccessPattern pattern;
  bool transposed = false;
  bool sometimes = false;                     ///< there are iterations without the step
  const llvm::SCEV* symbolic_step = nullptr;  ///< instead of a constant stride
  std::uint64_t run = 0;                      ///< bytes side by side that it and its like touch in one iteration
  bool beginning = false;                     ///< reads in front of a loop what the first iteration finds carried
  bool pair = false;                          ///< of two such elements: a complex number
  llvm::SmallVector<std::string, 8> offsets;  ///< stencil
};

/// All but stencils. Needs `run`.
void classify(NestAccess& access, const Nest& nest, const Resolver& resolver);

}  // namespace lbhm::compiler
