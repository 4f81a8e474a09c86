// The hidden symbols by which a module hands its patterns to liblbhm and notes where bases lie.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

struct PatternSymbols {
  llvm::GlobalVariable* noting;  ///< the switch: a byte, 0 as long as nobody wants to know
  llvm::Function* note;          ///< void (base, address)
};

/// Adds the symbols and the constructor, once a module. They merge when modules are linked.
PatternSymbols pattern_symbols(llvm::Module& module);

}  // namespace lbhm::compiler
