// For which processors code is looked at, and what every module has in common.
#pragma once

#include "llvm/IR/Module.h"

namespace lbhm::compiler {

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

}  // namespace lbhm::compiler
