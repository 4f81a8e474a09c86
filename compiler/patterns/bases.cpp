#include "compiler/patterns/bases.h"

#include <utility>

#include "compiler/patterns/resolver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More choices than this are not looked through.
constexpr unsigned most_choices = 16;

/// What phis and selections choose from places behind one base.
const Value* common_base(const Value& choice) {
  SmallSetVector<const Value*, 8> all;
  all.insert(&choice);
  const Value* common = nullptr;
  for (unsigned at = 0; at < all.size() && at < most_choices; ++at) {
    if (isa<PHINode, SelectInst>(all[at])) {
      for (const Use& operand : cast<Instruction>(all[at])->operands()) {
        if (operand->getType()->isPointerTy()) all.insert(base_value(operand));
      }
    } else if (common) {
      return &choice;
    } else {
      common = all[at];
    }
  }
  return common ? common : &choice;
}

const Value* value_of(const Value& pointer, const Address& address) {
  const auto* unknown = address.base ? dyn_cast<SCEVUnknown>(address.base) : nullptr;
  const Value* value = unknown && unknown->getType()->isPointerTy() ? unknown->getValue() : base_value(&pointer);
  return isa<PHINode, SelectInst>(value) ? common_base(*value) : value;
}

/// Whether whoever enters the loop executes it.
bool comes_first(const LoadInst& load, const Loop& loop) {
  if (load.getParent() != loop.getHeader()) return false;
  return all_of(make_range(std::as_const(*loop.getHeader()).begin(), load.getIterator()),
                [](const Instruction& before) { return isGuaranteedToTransferExecutionToSuccessor(&before); });
}

}  // namespace

std::size_t Bases::find(const Value& pointer, const Address& address, const Loop& loop, bool reads_pointer) {
  const Value* value = value_of(pointer, address);
  const StandIn* other = resolver.stand_in(value);
  const Loop* level = other ? other->level : nullptr;
  for (const Loop* around = &loop; around && !other; around = around->getParentLoop()) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction && around->contains(instruction)) break;
    level = around;
  }
  if (const auto* phi = dyn_cast<PHINode>(value); phi && !level) level = nest.loop_headed_by(*phi);
  const Value* identity = other ? other->of : value;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at].value == identity && all[at].loop == level) return at;
  }
  all.push_back({identity, level, names.of(*value), {}});
  Named& named = all.back().named;
  if (nest.contains(identity) && isa<PHINode>(identity)) named.through = "pointer";
  // The captured variable, not what it points to.
  if (&pointer == value && reads_pointer && StringRef(named.through) == "captured") named.name = "&" + named.name;
  if (level && value->getType()->isPointerTy()) place(all.back());
  return all.size() - 1;
}

/// In front of the loop: at each of the ways into it.
void Bases::place(Base& base) const {
  const auto* phi = dyn_cast<PHINode>(base.value);
  const bool enters = phi && phi->getParent() == base.loop->getHeader();
  for (BasicBlock* from : predecessors(base.loop->getHeader())) {
    if (base.loop->contains(from)) continue;
    const Value* value = enters ? phi->getIncomingValueForBlock(from) : base.value;
    BasePath path;
    if (!find_path(*const_cast<Value*>(value), *base.loop, path)) continue;
    if (isa<UndefValue, ConstantPointerNull, AllocaInst>(path.root)) continue;
    // What a choice has in common need not be there yet.
    const auto* made = dyn_cast<Instruction>(path.root);
    if (made && made != from->getTerminator() && !nest.dominators.dominates(made, from->getTerminator())) continue;
    base.places.push_back({from->getTerminator(), path});
  }
}

/// Loads are done again, behind the switch, only where that is safe whether or not the loop would do them.
bool Bases::find_path(Value& value, const Loop& loop, BasePath& path) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop.contains(instruction)) {
    path.root = &value;
    return true;
  }
  const auto* load = dyn_cast<LoadInst>(instruction);
  if (!load || path.offsets.size() == longest_path) return false;
  const DataLayout& layout = nest.function.getParent()->getDataLayout();
  APInt offset(64, 0);
  Value* from =
      const_cast<LoadInst*>(load)->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (!isDereferenceablePointer(load->getPointerOperand(), load->getType(), layout) && !comes_first(*load, loop))
    return false;
  path.offsets.insert(path.offsets.begin(), offset.getSExtValue());
  return find_path(*from, loop, path);
}

}  // namespace lbhm::compiler
