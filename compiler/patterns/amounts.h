// Numbers that are one of a few constants: what a condition adds to a counter.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

namespace lbhm::compiler {

using Amounts = llvm::SmallVector<std::int64_t, 2>;

/// The constants of which the value is one: itself, 0 or 1 for a condition made a number, those of a choice between
/// constants. Which of them it is may depend on anything. Empty if it may be another number.
Amounts amounts_of(const llvm::Value& value);

}  // namespace lbhm::compiler
