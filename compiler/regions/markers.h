// The calls by which a function says where its regions begin and end.
#pragma once

#include "compiler/regions/entrances.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"

namespace lbhm::compiler {

class Markers {
 public:
  Markers(llvm::Function& of, const RegionEntrances& known) : function(of), entrances(known) {}

  /// In front of the loop, and at all its exits: it has a preheader and exits of its own (LoopSimplify).
  void around(const llvm::Loop& loop, llvm::GlobalVariable* record);
  /// At the function's entry, and wherever it is left.
  void around_function(llvm::GlobalVariable* record);
  /// Behind landing pads, and calls that return twice: frames below are gone. `record_of`: of the outermost loop with
  /// this header, or null.
  template <class RecordOf>
  void after_unwinding(const llvm::LoopInfo& loops, RecordOf record_of) {
    for (llvm::Instruction* at : places_after_unwinding())
      call(*at, entrances.unwound, record_of(outermost(loops, *at->getParent())));
  }

 private:
  static const llvm::Loop* outermost(const llvm::LoopInfo& loops, const llvm::BasicBlock& block);
  llvm::SmallVector<llvm::Instruction*, 4> places_after_unwinding();
  void call(llvm::Instruction& before, llvm::Function* entrance, llvm::Constant* record);
  llvm::AllocaInst* frame_mark();

  llvm::Function& function;
  const RegionEntrances& entrances;
  llvm::AllocaInst* frame = nullptr;
};

}  // namespace lbhm::compiler
