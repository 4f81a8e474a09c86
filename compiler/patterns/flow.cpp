#include "compiler/patterns/flow.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More values than this are not looked at: real addresses are computed in few steps.
constexpr unsigned walk_limit = 128;

using Values = SmallSetVector<const Value*, 32>;

bool is_read(const Value* value) { return isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(value); }

/// Not comparisons: which way a condition goes is no address.
bool computes(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) return intrinsic->doesNotAccessMemory();
  return !isa<CallBase, AllocaInst, CmpInst>(instruction);
}

/// All within the loop from which the values are computed, they included. `stop`: what is not looked behind.
Values sources(ArrayRef<const Value*> of, const Loop& loop, function_ref<bool(const Value*)> stop) {
  Values all(of.begin(), of.end());
  for (unsigned at = 0; at < all.size() && at < walk_limit; ++at) {
    const auto* instruction = dyn_cast<Instruction>(all[at]);
    if (!instruction || !loop.contains(instruction) || stop(instruction) || !computes(*instruction)) continue;
    if (const auto* load = dyn_cast<LoadInst>(instruction)) {
      all.insert(load->getPointerOperand());
      continue;
    }
    for (const Use& operand : instruction->operands()) {
      if (!isa<BasicBlock>(operand)) all.insert(operand.get());
    }
  }
  return all;
}

bool nothing(const Value*) { return false; }

/// What the phi gets from the iteration before.
SmallVector<const Value*, 4> next_values(const PHINode& phi, const Loop& loop) {
  SmallVector<const Value*, 4> values;
  for (unsigned at = 0; at < phi.getNumIncomingValues(); ++at) {
    if (loop.contains(phi.getIncomingBlock(at))) values.push_back(phi.getIncomingValue(at));
  }
  return values;
}

/// Whether a load makes the phi's next value whose own address needs the phi.
bool is_chased(const PHINode& phi, const Loop& loop) {
  return any_of(sources(next_values(phi, loop), loop, is_read), [&](const Value* value) {
    const auto* load = dyn_cast<LoadInst>(value);
    return load && loop.contains(load) && sources({load->getPointerOperand()}, loop, nothing).contains(&phi);
  });
}

}  // namespace

bool needs_loaded_value(ArrayRef<const Value*> values, const Loop& loop, function_ref<bool(const Value*)> rests) {
  return any_of(sources(values, loop, is_read), [&](const Value* value) {
    if (!is_read(value) || !loop.contains(cast<Instruction>(value)) || rests(value)) return false;
    const auto* load = dyn_cast<LoadInst>(value);
    return !load || !isa<AllocaInst>(load->getPointerOperand()->stripInBoundsConstantOffsets());
  });
}

bool is_counted_from(const Value& pointer, const Loop& loop, function_ref<bool(const Value*)> is) {
  return any_of(sources({&pointer}, loop, is_read), [&](const Value* value) {
    const auto* phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop.getHeader() && is(phi);
  });
}

bool is_chase(const Instruction& access, const Value& pointer, const Loop& loop, const Nest& nest) {
  if (!is_read(&access)) return false;
  for (const Value* value : sources({&pointer}, loop, nothing)) {
    const auto* phi = dyn_cast<PHINode>(value);
    const Loop* headed = phi ? nest.loop_headed_by(*phi) : nullptr;
    if (!headed || !loop.contains(headed)) continue;
    const Values next = sources(next_values(*phi, *headed), *headed, nothing);
    if (next.contains(&access)) return true;
    const Values directly = sources({&pointer}, loop, is_read);
    if (directly.contains(phi) && is_chased(*phi, *headed)) return true;
    if (any_of(directly, [&](const Value* from) { return is_read(from) && next.contains(from); })) return true;
  }
  return false;
}

}  // namespace lbhm::compiler
