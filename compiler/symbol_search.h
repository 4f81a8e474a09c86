// Code that looks for functions of liblbhm when the program starts.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// Writes where the builder stands, in the function `in`.
class SymbolSearch {
 public:
  SymbolSearch(llvm::IRBuilder<>& with, llvm::Function& in) : builder(with), function(in) {}

  llvm::BasicBlock* block(const char* name);
  void go_on_if(llvm::Value* condition, llvm::BasicBlock* otherwise);
  /// Goes on if there is somebody to ask: a static program has no dlsym, and then nobody to find with it.
  void find_dlsym(llvm::BasicBlock* otherwise);
  /// The function of this name, null if nobody in the process has it.
  llvm::Value* symbol(const char* name);

 private:
  llvm::IRBuilder<>& builder;
  llvm::Function& function;
  llvm::Function* dlsym = nullptr;
};

}  // namespace lbhm::compiler
