// The pass that finds a module's code regions and marks them.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

// How marked code reaches liblbhm: hidden functions that do nothing without it.

struct RegionEntrances {
  llvm::Function* begin;    ///< void (record, frame)
  llvm::Function* end;      ///< void (record, frame)
  llvm::Function* unwound;  ///< void (record or null, frame)
};

/// Adds the functions, and a constructor that looks liblbhm up and hands it the records of the linked file.
RegionEntrances add_region_entrances(llvm::Module& module);

/// A call of one of them: the runtime reads there what the thread has done so far.
bool is_region_marker(const llvm::Instruction& instruction);

// The calls by which a function says where its regions begin and end.

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

// What clang makes of OpenMP's constructs: functions for parallel ones, calls around worksharing loops.

/// Whether the function is the body of a parallel construct.
bool is_parallel_body(const llvm::Function& function);

/// Whether the outermost loop runs over a thread's share of a worksharing loop, or hands such shares out.
bool is_worksharing(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

// The pass that finds a module's code regions and marks them, in the middle of the optimiser: behind inlining and the
// clean-up of loops, in front of vectorisation, which turns one loop into several.

struct MarkRegions : llvm::PassInfoMixin<MarkRegions> {
  static bool isRequired() { return true; }  // also at -O0
  /// LBHM_PLUGIN_REGIONS=1 in the compiler's environment.
  static bool wanted();
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lbhm::compiler
