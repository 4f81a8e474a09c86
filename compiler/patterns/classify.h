// Which values flow into an address: loaded ones make it random, those that come round a loop a chase.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/instrument/accesses.h"
#include "compiler/patterns/address.h"
#include "compiler/patterns/nest.h"
#include "lbhm/access_pattern.h"

namespace lbhm::compiler {

/// A step towards a neighbour: how many steps of each of the nest's loops, outermost first.
using Neighbour = llvm::SmallVector<std::int64_t, 4>;

/// Whether a value that was loaded (or swapped) within `loop` flows into one of `values`. Not: variables on the
/// stack, into which the OpenMP runtime writes bounds (but elements of tables there), and the loads for which `rests`
/// says so.
bool needs_loaded_value(llvm::ArrayRef<const llvm::Value*> values, const llvm::Loop& loop,
                        llvm::function_ref<bool(const llvm::Value*)> rests);

/// Whether the address is computed, not by loads, from a phi at the head of the loop of which `is` says so.
bool is_counted_from(const llvm::Value& pointer, const llvm::Loop& loop,
                     llvm::function_ref<bool(const llvm::Value*)> is);

/// Whether what this access reads, or another one at a place that is computed from the same phi, becomes the address of
/// the next iteration.
bool is_chase(const llvm::Instruction& access, const llvm::Value& pointer, const llvm::Loop& loop, const Nest& nest);

// Which pattern one access has: the definitions of docs/patterns.md.

/// What the runtime reads as an AccessPattern.
struct CompiledPattern {
  PatternKind kind = PatternKind::unknown;
  std::uint64_t element = 8;     ///< bytes of one access
  std::int64_t stride = 0;       ///< bytes from one access to the next, signed; 0 if there is no constant one
  std::uint32_t dimensions = 0;  ///< stencil: 1, 2 or 3, in how many directions its neighbours lie
  std::uint32_t points = 0;      ///< stencil: how many elements it reads, 5 for the 5-point stencil
  bool input_dependent = false;  ///< stencil: where its neighbours lie depends on data
  bool write = false;
};

struct NestAccess {
  Access access;
  const llvm::Loop* loop = nullptr;  ///< the innermost one around it
  Address address;
  std::uint64_t element = 0;  ///< bytes
  bool write = false;
  CompiledPattern pattern;
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
