// Hidden variables and functions that are the same in every module and merge when the modules are linked.
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

class Hidden {
 public:
  explicit Hidden(llvm::Module& target);

  llvm::GlobalVariable* variable(llvm::Type* of, const char* name);
  /// A function without result, with its first block; `builder` stands there.
  llvm::Function* function(const char* name, llvm::ArrayRef<llvm::Type*> parameters);

  /// A pointer to a function that the threads find each at its own time.
  llvm::Value* read(llvm::GlobalVariable* of);
  void write_to(llvm::GlobalVariable* where, llvm::Value* value);
  /// A function that hands its arguments on to the one in `target`, if there is one.
  llvm::Function* forwarder(const char* name, llvm::ArrayRef<llvm::Type*> parameters, llvm::GlobalVariable* target);

  llvm::Module& module;
  llvm::IRBuilder<> builder;
  llvm::PointerType* pointer;
  llvm::IntegerType* word;

 private:
  void hide(llvm::GlobalObject& object);
};

}  // namespace lbhm::compiler
