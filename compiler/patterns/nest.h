// One loop nest of a function, and what analyses know of it.
#pragma once

#include <memory>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace lbhm::compiler {

/// Null for all but phis at the head of a loop.
inline const llvm::Loop* loop_headed_by(const llvm::PHINode& phi, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(phi.getParent());
  return loop && loop->getHeader() == phi.getParent() ? loop : nullptr;
}

struct Nest {
  llvm::Function& function;
  const llvm::Loop& outermost;
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  const llvm::TargetLibraryInfo& library;
  llvm::ScalarEvolution& evolution;

  bool contains(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && outermost.contains(instruction);
  }
  const llvm::Loop* loop_of(const llvm::Instruction& instruction) const {
    return loops.getLoopFor(instruction.getParent());
  }
  const llvm::Loop* loop_headed_by(const llvm::PHINode& phi) const {
    return lbhm::compiler::loop_headed_by(phi, loops);
  }
};

// Values that take the place of others in symbolic addresses.

/// ScalarEvolution takes it for a value that no loop changes.
struct StandIn {
  const llvm::Instruction* of;           ///< what it stands for; null: a number that nothing says
  const llvm::Loop* level;               ///< a load: the outermost loop in which it is the same
  const llvm::SCEV* dividend = nullptr;  ///< a quotient that changes slowly: a recurrence of `level`, and
  const llvm::SCEV* divisor = nullptr;   ///< by what it is divided
  const char* name = nullptr;            ///< of such a number
};

/// Owns the stand-ins of a function. To be destroyed after the ScalarEvolution that knows them.
class StandIns {
 public:
  llvm::Value* make(llvm::Type* type, const StandIn& as) {
    auto* shape = llvm::FunctionType::get(llvm::Type::getVoidTy(type->getContext()), {type}, false);
    // In no module: only its argument is of use.
    owners.emplace_back(llvm::Function::Create(shape, llvm::GlobalValue::InternalLinkage, 0));
    llvm::Value* value = owners.back()->getArg(0);
    known[value] = as;
    return value;
  }
  /// Null if the value is none.
  const StandIn* find(const llvm::Value* value) const {
    auto found = known.find(value);
    return found == known.end() ? nullptr : &found->second;
  }

 private:
  std::vector<std::unique_ptr<llvm::Function>> owners;
  llvm::DenseMap<const llvm::Value*, StandIn> known;
};

}  // namespace lbhm::compiler
