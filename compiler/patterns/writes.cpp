#include "compiler/patterns/writes.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {

using namespace llvm;

const Value* base_value(const Value* pointer) { return getUnderlyingObject(pointer, 0); }

namespace {

/// Where the value is loaded from, behind the base that is the same: two loads from one place are one base.
const Value* identity(const Value* base) {
  const auto* load = dyn_cast<LoadInst>(base);
  return load ? load->getPointerOperand() : base;
}

}  // namespace

Writes::Writes(const Nest& in) : nest(in) {
  for (const BasicBlock* block : nest.outermost.blocks()) {
    for (const Instruction& instruction : *block) {
      if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
        writes[identity(base_value(store->getPointerOperand()))].push_back(
            {store, store->getPointerOperand(), store->getValueOperand()->getType()});
      } else if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
        writes[identity(base_value(update->getPointerOperand()))].push_back(
            {update, update->getPointerOperand(), update->getType()});
      } else if (const auto* call = dyn_cast<CallBase>(&instruction); call && !isa<DbgInfoIntrinsic>(call)) {
        if (call->onlyReadsMemory() || call->isLifetimeStartOrEnd()) continue;
        for (const Use& argument : call->args()) {
          if (argument->getType()->isPointerTy() && !call->onlyReadsMemory(call->getArgOperandNo(&argument)))
            writes[identity(base_value(argument))].push_back({call, nullptr, nullptr});
        }
      }
    }
  }
}

bool Writes::may_hit(const Write& write, const LoadInst& load) const {
  if (!write.pointer) return true;
  if (write.pointer == load.getPointerOperand()) return true;
  ScalarEvolution& evolution = nest.evolution;
  const auto* apart =
      dyn_cast<SCEVConstant>(evolution.getMinusSCEV(evolution.getSCEV(const_cast<Value*>(write.pointer)),
                                                    evolution.getSCEV(const_cast<Value*>(load.getPointerOperand()))));
  if (!apart) return write.type->isPointerTy() == load.getType()->isPointerTy();
  const DataLayout& layout = nest.function.getParent()->getDataLayout();
  auto size = [&](Type* type) { return static_cast<std::int64_t>(layout.getTypeStoreSize(type).getKnownMinValue()); };
  std::int64_t distance = apart->getAPInt().getSExtValue();
  return distance < size(load.getType()) && -distance < size(write.type);
}

bool Writes::may_change(const LoadInst& load, const Loop& loop) const {
  if (load.isVolatile()) return true;
  auto found = writes.find(identity(base_value(load.getPointerOperand())));
  if (found == writes.end()) return false;
  return any_of(found->second, [&](const Write& write) { return loop.contains(write.by) && may_hit(write, load); });
}

}  // namespace lbhm::compiler
