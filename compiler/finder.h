// The code of a constructor that looks for functions of liblbhm with dlsym and hands them what the modules have.
#pragma once

#include "compiler/hidden.h"
#include "compiler/symbol_search.h"

namespace lbhm::compiler {

class FinderWriter {
 public:
  /// Begins the function `name`; `hidden.builder` stands in it.
  FinderWriter(Hidden& with, const char* name);

  /// What follows runs only where there is a dlsym.
  void begin_look_up() { search.find_dlsym(done); }
  /// The address of the symbol, null if no library of the process has it.
  llvm::Value* symbol(const char* name) { return search.symbol(name); }
  /// Calls `taker`, if there is one, with the borders of the section, if there is anything in it, and `more`. Once for
  /// all modules of a linked file: `given` is the name of a variable that remembers.
  void give_section(llvm::Value* taker, const char* section, const char* given, llvm::ArrayRef<llvm::Value*> more);
  /// Ends the function, makes it a constructor and returns it.
  llvm::Function* finish();

 private:
  Hidden& hidden;
  llvm::IRBuilder<>& builder;
  llvm::Function* function;
  SymbolSearch search;
  llvm::BasicBlock* done;
};

}  // namespace lbhm::compiler
