// Which blocks of a function always run equally often, so that one counter is enough for them.
#pragma once

#include <optional>
#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace lbhm::compiler {

/// A part of a block that begins as often as it is counted: all of it, or what stands behind a setjmp, which may
/// return again.
struct Piece {
  llvm::BasicBlock* block;
  llvm::Instruction* from;  ///< null: the block's begin
  llvm::Instruction* end;   ///< one behind; null: all of the rest
};

/// Pieces that always begin equally often; the first one dominates the others.
struct PieceClass {
  llvm::SmallVector<Piece, 4> pieces;

  llvm::BasicBlock& leader() const { return *pieces.front().block; }
  llvm::BasicBlock& last() const { return *pieces.back().block; }
};

/// What the shape of a function says of how often its blocks run.
class FunctionShape {
 public:
  FunctionShape(llvm::Function& of, llvm::LoopInfo& with, llvm::DominatorTree& dominating,
                llvm::PostDominatorTree& postdominating);

  /// All reachable pieces in their classes, in the order in which the blocks stand.
  std::vector<PieceClass> classes() const;
  /// A loop from which no call can leave unseen: by an exception, exit or longjmp.
  bool is_closed(const llvm::Loop& loop) const { return !open.contains(&loop); }
  /// Whether, calls that do not return set aside, both run equally often whenever the loop around them is entered.
  bool together(const llvm::BasicBlock& first, const llvm::BasicBlock& then) const;

  llvm::LoopInfo& loops;

 private:
  bool is_safe_between(const llvm::BasicBlock& first, const llvm::BasicBlock& then) const;
  llvm::BasicBlock* partner_of(llvm::BasicBlock& block) const;

  llvm::Function& function;
  llvm::DominatorTree& dominators;
  llvm::PostDominatorTree& postdominators;
  llvm::SmallVector<llvm::BasicBlock*, 16> risky;  ///< may be left in the middle
  llvm::SmallPtrSet<const llvm::Loop*, 8> open;
};

// How often blocks of loops run, where ScalarEvolution knows it: then they are counted once, in front of the loop.

/// `times` executions for every run through `preheader`.
struct Trips {
  const llvm::SCEV* times;
  llvm::BasicBlock* preheader;
};

class TripFinder {
 public:
  TripFinder(const FunctionShape& of, llvm::ScalarEvolution& knows, const llvm::TargetTransformInfo& target,
             llvm::SCEVExpander& with)
      : shape(of), evolution(knows), costs(target), expander(with) {}

  /// In front of the outermost loop for which it is known, if computing it is cheap.
  std::optional<Trips> trips_of(llvm::BasicBlock& block) const;
  /// Executions in one call of the function, if they are the same in each. Calls that do not return are set aside.
  std::optional<std::uint64_t> constant_per_call(llvm::BasicBlock& block) const;

 private:
  const llvm::SCEV* times_in(llvm::BasicBlock& block, const llvm::Loop& loop) const;
  bool can_compute(const Trips& trips, const llvm::Loop& loop) const;

  const FunctionShape& shape;
  llvm::ScalarEvolution& evolution;
  const llvm::TargetTransformInfo& costs;
  llvm::SCEVExpander& expander;
};

}  // namespace lbhm::compiler
