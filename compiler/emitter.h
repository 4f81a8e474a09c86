// Inserts what a plan says.
#pragma once

#include "compiler/module_symbols.h"
#include "compiler/plan.h"

namespace lbhm::compiler {

void emit(llvm::Function& function, const FunctionPlan& plan, const ModuleSymbols& symbols);

}  // namespace lbhm::compiler
