// Which functions are instrumented, and what they may no longer promise once they are.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// __attribute__((annotate("lbhm_uninstrumented"))) in front of a function keeps the plugin away from it.
constexpr const char* opt_out = "lbhm_uninstrumented";

/// The functions of the module to instrument, in order.
llvm::SmallVector<llvm::Function*, 32> functions_to_instrument(llvm::Module& module);

/// An instrumented function writes to memory, and so may every function that it calls: removes promises to the
/// contrary (pure, const) from it and its calls, on which later passes would move or drop the code inserted.
void remove_promises(llvm::Function& function, llvm::ArrayRef<llvm::CallBase*> calls);

}  // namespace lbhm::compiler
