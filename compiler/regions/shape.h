// What code looks like, as a number: the part of a region's id that comments and moved lines do not change.
#pragma once

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/BasicBlock.h"

namespace lbhm::compiler {

/// A hash of the blocks' instructions: opcodes, predicates, types, names of called functions, and where branches lead
/// among these blocks. Neither lines nor constants nor names of values are in it.
std::uint64_t shape_of(llvm::ArrayRef<llvm::BasicBlock*> blocks);

}  // namespace lbhm::compiler
