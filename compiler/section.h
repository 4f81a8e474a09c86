// Sections into which every module puts its part, and how the linked whole is found.
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// Puts the constant into the module's part of the section. It survives --gc-sections and strip. `section`: a name that
/// is valid in C, for which linkers define __start_ and __stop_ symbols. `name`: of the variable, behind our prefix.
void add_to_section(llvm::Module& module, const char* section, llvm::Constant* part, llvm::Align alignment,
                    const char* name);

/// First byte and the one behind the last of what all modules of one linked file put in: symbols that the linker
/// defines, null if there is nothing.
llvm::Constant* section_first(llvm::Module& module, const char* section);
llvm::Constant* section_last(llvm::Module& module, const char* section);

}  // namespace lbhm::compiler
