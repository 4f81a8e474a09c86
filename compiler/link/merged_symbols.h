// MergedSymbols variables and functions that are the same in every module and merge when the modules are linked.
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

class MergedSymbols {
 public:
  explicit MergedSymbols(llvm::Module& target);

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

// Sections into which every module puts its part, and how the linked whole is found.

/// Puts the constant into the module's part of the section. It survives --gc-sections and strip. `section`: a name that
/// is valid in C, for which linkers define __start_ and __stop_ symbols. `name`: of the variable, behind our prefix.
void add_to_section(llvm::Module& module, const char* section, llvm::Constant* part, llvm::Align alignment,
                    const char* name);

/// First byte and the one behind the last of what all modules of one linked file put in: symbols that the linker
/// defines, null if there is nothing.
llvm::Constant* section_first(llvm::Module& module, const char* section);
llvm::Constant* section_last(llvm::Module& module, const char* section);

}  // namespace lbhm::compiler
