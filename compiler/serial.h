// Pointer chases: loads that cannot begin before their own result of the previous iteration is there.
#pragma once

#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

/// Whether the address of the load is computed from the load's own earlier result, through the function's values (and,
/// in unoptimised code, its local variables). In `p = p->next` it is; in `a[idx[i]]` neither load is.
bool is_serial(const llvm::LoadInst& load);

}  // namespace lbhm::compiler
