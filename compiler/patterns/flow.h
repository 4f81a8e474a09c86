// Which values flow into an address: loaded ones make it random, those that come round a loop a chase.
#pragma once

#include "compiler/patterns/nest.h"

namespace lbhm::compiler {

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

}  // namespace lbhm::compiler
