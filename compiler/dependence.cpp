#include "compiler/dependence.h"

#include "compiler/access.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More values than this are not looked at: real addresses are computed in few steps.
constexpr unsigned walk_limit = 128;

using Queue = SmallSetVector<Value*, 32>;

/// What was stored into the local variable: the value of a load from it.
void add_stored_values(AllocaInst& variable, Queue& queue) {
  for (User* user : variable.users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == &variable) queue.insert(store->getValueOperand());
  }
}

/// Puts into the queue what the value is computed from.
void add_operands(Instruction& value, Queue& queue) {
  if (auto* load = dyn_cast<LoadInst>(&value)) {
    if (auto* variable = dyn_cast<AllocaInst>(load->getPointerOperand())) return add_stored_values(*variable, queue);
    queue.insert(load->getPointerOperand());
    return;
  }
  auto* intrinsic = dyn_cast<IntrinsicInst>(&value);
  bool computes = isa<GetElementPtrInst, CastInst, BinaryOperator, UnaryOperator, PHINode, SelectInst, CmpInst,
                      FreezeInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst>(value) ||
                  (intrinsic && intrinsic->doesNotAccessMemory());
  if (!computes) return;
  for (Use& operand : value.operands()) queue.insert(operand.get());
}

}  // namespace

bool Dependences::has_site(Instruction& load) const {
  return load.mayReadFromMemory() && !load.getType()->isVoidTy() && !find_accesses(load, library).seen.empty();
}

bool Dependences::varies_around(Instruction& load, const Instruction& user) const {
  const Loop* loop = loops.getLoopFor(user.getParent());
  if (!loop || !loop->contains(&load)) return false;
  auto accesses = find_accesses(load, library);
  Value* pointer = accesses.seen.front().pointer;
  return !evolution.isSCEVable(pointer->getType()) || !evolution.isLoopInvariant(evolution.getSCEV(pointer), loop);
}

/// Of the loads that read elsewhere in each iteration the one that is executed after the others. `same_iteration`: not
/// those whose value an earlier iteration of the loop handed on.
Instruction* Dependences::last_varying(Value& value, const Instruction& user, bool same_iteration) const {
  const Loop* loop = loops.getLoopFor(user.getParent());
  if (!loop) return nullptr;
  Queue queue;
  queue.insert(&value);
  Instruction* last = nullptr;
  for (unsigned at = 0; at < queue.size() && at < walk_limit; ++at) {
    auto* from = dyn_cast<Instruction>(queue[at]);
    if (!from || (same_iteration && isa<PHINode>(from) && from->getParent() == loop->getHeader())) continue;
    if (!has_site(*from)) {
      add_operands(*from, queue);
    } else if (varies_around(*from, user) && (!last || dominators.dominates(last, from))) {
      last = from;
    }
  }
  return last;
}

Instruction* Dependences::nearest(Value& value) const {
  Queue queue;
  queue.insert(&value);
  for (unsigned at = 0; at < queue.size() && at < walk_limit; ++at) {
    auto* from = dyn_cast<Instruction>(queue[at]);
    if (!from) continue;
    if (has_site(*from)) return from;
    add_operands(*from, queue);
  }
  return nullptr;
}

Instruction* Dependences::source_of(Value& value, const Instruction& user) const {
  if (Instruction* last = last_varying(value, user, true)) return last;
  if (Instruction* last = last_varying(value, user, false)) return last;
  return nearest(value);
}

}  // namespace lbhm::compiler
