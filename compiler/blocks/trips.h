// How often blocks of loops run, where ScalarEvolution knows it: then they are counted once, in front of the loop.
#pragma once

#include <optional>

#include "compiler/blocks/equivalence.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace lbhm::compiler {

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
