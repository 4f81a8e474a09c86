// Code that looks for functions of liblbhm when the program starts.
#pragma once

#include "compiler/link/merged_symbols.h"
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

// The code of a constructor that looks for functions of liblbhm with dlsym and hands them what the modules have.

class LookupWriter {
 public:
  /// Begins the function `name`; `merged.builder` stands in it.
  LookupWriter(MergedSymbols& with, const char* name);

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
  MergedSymbols& merged;
  llvm::IRBuilder<>& builder;
  llvm::Function* function;
  SymbolSearch search;
  llvm::BasicBlock* done;
};

// How an instrumented program finds liblbhm.

/// The functions of liblbhm, null where it is not in the process.
struct Entrances {
  llvm::GlobalVariable* refill;  ///< then `sink_refill`
  llvm::GlobalVariable* range;
  llvm::GlobalVariable* order;
  llvm::GlobalVariable* order_end;
};

/// Writes the function that looks for liblbhm and hands it the table of sites, and makes it a constructor: there are no
/// threads then that could lose entries. It may be called earlier.
llvm::Function* write_runtime_lookup(MergedSymbols& merged, const Entrances& entrances, llvm::Function* sink_refill);

}  // namespace lbhm::compiler
