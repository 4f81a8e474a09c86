// Values that take the place of others in symbolic addresses.
#pragma once

#include <memory>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"

namespace lbhm::compiler {

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
