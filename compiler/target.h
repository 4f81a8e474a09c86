// For which targets the plugin works.
#pragma once

#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// 64-bit x86 and Arm with ELF files.
bool is_supported(const llvm::Module& module);
/// Says once a module why it is left alone, if it is not for an accelerator.
void explain_unsupported(const llvm::Module& module);

}  // namespace lbhm::compiler
