// Which processors and functions are instrumented.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

// For which processors code is looked at, and what every module has in common.

/// Whether the plugin knows such code: 64-bit x86 and Arm with ELF files.
bool is_supported(const llvm::Module& module);
/// Says once a module why it is left alone, if it is not for an accelerator.
void explain_unsupported(const llvm::Module& module);

/// With LBHM_PLUGIN_VERIFY=1 ends the compiler if the module is not valid.
void verify(const llvm::Module& module);

/// An empty function for a processor whose latencies stand for those of all x86 ones: the one for which LLVM's tables
/// are most complete. Removed with the object.
class ReferenceFunction {
 public:
  explicit ReferenceFunction(llvm::Module& module);
  ~ReferenceFunction() { function->eraseFromParent(); }
  ReferenceFunction(const ReferenceFunction&) = delete;
  ReferenceFunction& operator=(const ReferenceFunction&) = delete;

  llvm::Function& operator*() const { return *function; }

 private:
  llvm::Function* function;
};

// Which functions are instrumented, and what they may no longer promise once they are.

/// __attribute__((annotate("lbhm_uninstrumented"))) in front of a function keeps the plugin away from it.
constexpr const char* opt_out = "lbhm_uninstrumented";

/// The functions of the module to instrument, in order.
llvm::SmallVector<llvm::Function*, 32> functions_to_instrument(llvm::Module& module);

/// An instrumented function writes to memory, and so may every function that it calls: removes promises to the
/// contrary (pure, const) from it and its calls, on which later passes would move or drop the code inserted.
void remove_promises(llvm::Function& function, llvm::ArrayRef<llvm::CallBase*> calls);

}  // namespace lbhm::compiler
