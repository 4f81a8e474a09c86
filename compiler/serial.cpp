#include "compiler/serial.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More values than this are not looked at: real chases are short.
constexpr unsigned walk_limit = 64;

/// Puts on the list what the value is computed from.
void add_sources(const Value* value, SmallVectorImpl<const Value*>& list) {
  if (const auto* load = dyn_cast<LoadInst>(value)) {
    const Value* address = load->getPointerOperand();
    list.push_back(address);
    if (!isa<AllocaInst>(address)) return;
    for (const User* user : address->users()) {
      const auto* store = dyn_cast<StoreInst>(user);
      if (store && store->getPointerOperand() == address) list.push_back(store->getValueOperand());
    }
    return;
  }
  if (isa<GetElementPtrInst, CastInst, BinaryOperator, PHINode, SelectInst, CmpInst, FreezeInst, ExtractElementInst,
          InsertElementInst, ShuffleVectorInst, ExtractValueInst>(value)) {
    for (const Use& operand : cast<Instruction>(value)->operands()) list.push_back(operand.get());
  }
}

}  // namespace

bool is_serial(const LoadInst& load) {
  SmallVector<const Value*, 16> list{load.getPointerOperand()};
  SmallPtrSet<const Value*, 32> seen;
  while (!list.empty() && seen.size() < walk_limit) {
    const Value* value = list.pop_back_val();
    if (value == &load) return true;
    if (isa<Instruction>(value) && seen.insert(value).second) add_sources(value, list);
  }
  return false;
}

}  // namespace lbhm::compiler
