// Loops that wait for another thread's store by looking at memory.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Value.h"

namespace lbhm::compiler {

using Places = llvm::SmallPtrSet<const llvm::Value*, 4>;

/// Where loops look that store nothing: addresses that stay the same. The look would have been moved out of the loop if
/// it were not there for others' stores: it is atomic, or there is a barrier.
Places places_waited_for(const llvm::LoopInfo& loops);

}  // namespace lbhm::compiler
