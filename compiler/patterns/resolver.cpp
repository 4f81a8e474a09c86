#include "compiler/patterns/resolver.h"

#include "compiler/patterns/conditional_counters.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

/// Narrower numbers are meant to wrap round (masks, characters). Where a step is at most this share of the period, the
/// jumps back are so rare that the step is what matters: an assumption.
constexpr std::uint64_t steps_a_period = 16;
constexpr unsigned index_bits = 32;

bool wraps_often(const SCEV* step, const APInt& period) {
  const auto* constant = dyn_cast<SCEVConstant>(step);
  if (!constant) return true;
  APInt size = constant->getAPInt().abs().zextOrTrunc(64);
  return size.getZExtValue() > period.zextOrTrunc(64).getZExtValue() / steps_a_period;
}

}  // namespace

const Value* base_value(const Value* pointer) { return getUnderlyingObject(pointer, 0); }

/// Two loads from one place are one base.
const Value* Writes::identity(const Value* pointer) {
  const Value* base = base_value(pointer);
  const auto* load = dyn_cast<LoadInst>(base);
  return load ? loads.try_emplace(load->getPointerOperand(), load).first->second : base;
}

Writes::Writes(const Nest& in) : nest(in) {
  for (const BasicBlock* block : nest.outermost.blocks()) {
    for (const Instruction& instruction : *block) {
      if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
        writes[identity(store->getPointerOperand())].push_back(
            {store, store->getPointerOperand(), store->getValueOperand()->getType()});
      } else if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
        writes[identity(update->getPointerOperand())].push_back(
            {update, update->getPointerOperand(), update->getType()});
      } else if (const auto* call = dyn_cast<CallBase>(&instruction); call && !isa<DbgInfoIntrinsic>(call)) {
        if (call->onlyReadsMemory() || call->isLifetimeStartOrEnd()) continue;
        for (const Use& argument : call->args()) {
          if (argument->getType()->isPointerTy() && !call->onlyReadsMemory(call->getArgOperandNo(&argument)))
            writes[identity(argument)].push_back({call, nullptr, nullptr});
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

bool Writes::may_change(const LoadInst& load, const Loop& loop) {
  if (load.isVolatile()) return true;
  auto found = writes.find(identity(load.getPointerOperand()));
  if (found == writes.end()) return false;
  return any_of(found->second, [&](const Write& write) { return loop.contains(write.by) && may_hit(write, load); });
}

SmallVector<const Value*, 4> leaves(const SCEV* expression) {
  struct Collect {
    SmallVector<const Value*, 4> found;
    bool follow(const SCEV* each) {
      if (const auto* unknown = dyn_cast<SCEVUnknown>(each)) found.push_back(unknown->getValue());
      return true;
    }
    static bool isDone() { return false; }
  } collect;
  visitAll(expression, collect);
  return collect.found;
}

const SCEV* Resolver::visit(const SCEV* expression) {
  auto found = known.find(expression);
  if (found != known.end()) return found->second;
  const SCEV* result = SCEVVisitor<Resolver, const SCEV*>::visit(expression);
  known[expression] = result;
  return result;
}

const SCEV* Resolver::visitUnknown(const SCEVUnknown* unknown) {
  auto* instruction = dyn_cast<Instruction>(unknown->getValue());
  if (!instruction || !nest.contains(instruction) || !under_way.insert(instruction).second) return unknown;
  const SCEV* result = resolve_instruction(*instruction);
  under_way.erase(instruction);
  return result ? result : unknown;
}

/// Null if it stays what it is.
const SCEV* Resolver::resolve_instruction(Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return resolve_load(*load);
  if (auto* phi = dyn_cast<PHINode>(&instruction)) return resolve_phi(*phi);
  if (auto* freeze = dyn_cast<FreezeInst>(&instruction)) return resolve(freeze->getOperand(0));
  if (auto* select = dyn_cast<SelectInst>(&instruction))
    return moving_one({resolve(select->getTrueValue()), resolve(select->getFalseValue())});
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {  // a ticket
    const Loop* loop = nest.loop_of(instruction);
    const auto* step = dyn_cast<ConstantInt>(update->getValOperand());
    if (update->getOperation() != AtomicRMWInst::Add || !step ||
        !SE.isLoopInvariant(resolve(update->getPointerOperand()), loop))
      return nullptr;
    const SCEV* start = SE.getUnknown(stand_ins.make(update->getType(), {update, &nest.outermost}));
    return SE.getAddRecExpr(start, SE.getConstant(step->getValue()), loop, SCEV::FlagAnyWrap);
  }
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction)) {
    if (operation->isIntDivRem()) return resolve_division(*operation);
    if (operation->getOpcode() != Instruction::And) return nullptr;
    const SCEV* chosen = moving_one({resolve(operation->getOperand(0)), resolve(operation->getOperand(1))});
    const auto* moving = dyn_cast_or_null<SCEVAddRecExpr>(chosen);
    return moving && moving->isAffine() && moving->getStepRecurrence(SE)->isOne() ? chosen : nullptr;
  }
  return nullptr;
}

/// The outermost loop in which it is the same makes its level.
const SCEV* Resolver::resolve_load(LoadInst& load) {
  const SCEV* place = resolve(load.getPointerOperand());
  const Loop* level = nullptr;
  for (const Loop* loop = nest.loop_of(load); loop; loop = loop->getParentLoop()) {
    if (!SE.isLoopInvariant(place, loop) || writes.may_change(load, *loop)) break;
    bool same = all_of(leaves(place), [&](const Value* leaf) {
      const StandIn* other = stand_ins.find(leaf);
      return !other || (other->level->contains(loop) && !(other->divisor && other->level == loop));
    });
    if (!same) break;
    level = loop;
  }
  if (!level) return nullptr;
  const SCEV*& made = loaded[{place, level}];  // two loads from one place are one value
  if (!made || made->getType() != load.getType()) made = SE.getUnknown(stand_ins.make(load.getType(), {&load, level}));
  return made;
}

const SCEV* Resolver::resolve_phi(PHINode& phi) {
  const Loop* loop = nest.loop_headed_by(phi);
  SmallVector<const SCEV*, 4> values;
  for (unsigned at = 0; at < phi.getNumIncomingValues(); ++at) {
    if (!loop || !loop->contains(phi.getIncomingBlock(at))) values.push_back(resolve(phi.getIncomingValue(at)));
  }
  if (!loop) return moving_one(values);
  auto step = steps_of_counter(phi, *loop);
  if (!step || values.size() != 1 || !SE.isLoopInvariant(values[0], loop)) return nullptr;
  if (step->sometimes) halting.insert(&phi);
  Type* type = SE.getEffectiveSCEVType(phi.getType());
  return SE.getAddRecExpr(values[0], SE.getConstant(type, static_cast<std::uint64_t>(step->step), true), loop,
                          SCEV::FlagAnyWrap);
}

/// Whether nothing in the nest moves it.
bool Resolver::rests(const SCEV* expression) const {
  return SE.isLoopInvariant(expression, &nest.outermost) && none_of(leaves(expression), [&](const Value* leaf) {
           return stand_ins.find(leaf) && stand_ins.find(leaf)->divisor;
         });
}

/// The one that moves, if the others rest or move by the same step. Null: neither.
const SCEV* Resolver::moving_one(ArrayRef<const SCEV*> of) {
  const SCEV* chosen = nullptr;
  for (const SCEV* each : of) {
    if (rests(each)) continue;
    if (!chosen) {
      chosen = each;
      continue;
    }
    const auto* first = dyn_cast<SCEVAddRecExpr>(chosen);
    const auto* second = dyn_cast<SCEVAddRecExpr>(each);
    if (!first || !second || first->getLoop() != second->getLoop() ||
        first->getStepRecurrence(SE) != second->getStepRecurrence(SE))
      return nullptr;
  }
  return chosen;
}

const SCEV* Resolver::choose(const SCEVMinMaxExpr* limit) {
  SmallVector<const SCEV*, 4> operands;
  for (const SCEV* operand : limit->operands()) operands.push_back(visit(operand));
  if (const SCEV* moving = moving_one(operands)) return moving;
  return SE.getMinMaxExpr(limit->getSCEVType(), operands);
}

// Casts and divisions of the resolver.

/// Applies the change to the parts of sums, products and recurrences.
const SCEV* Resolver::map(const SCEV* expression, function_ref<const SCEV*(const SCEV*)> change) {
  SmallVector<const SCEV*, 4> parts;
  if (const auto* recurrence = dyn_cast<SCEVAddRecExpr>(expression)) {
    for (const SCEV* part : recurrence->operands()) parts.push_back(change(part));
    return SE.getAddRecExpr(parts, recurrence->getLoop(), SCEV::FlagAnyWrap);
  }
  for (const SCEV* part : cast<SCEVNAryExpr>(expression)->operands()) parts.push_back(change(part));
  return isa<SCEVAddExpr>(expression) ? SE.getAddExpr(parts) : SE.getMulExpr(parts);
}

/// One form for signed and unsigned: with no overflow they are the same, and so they cancel.
const SCEV* Resolver::widen(const SCEV* expression, Type* type) {
  unsigned bits = expression->getType()->getIntegerBitWidth();
  const auto* narrowed = dyn_cast<SCEVTruncateExpr>(expression);
  if (narrowed && bits >= index_bits && narrowed->getOperand()->getType() == type) return narrowed->getOperand();
  if (isa<SCEVAddRecExpr, SCEVAddExpr, SCEVMulExpr>(expression)) {
    const auto* recurrence = dyn_cast<SCEVAddRecExpr>(expression);
    bool safe = bits >= index_bits ||
                (recurrence && !wraps_often(recurrence->getStepRecurrence(SE), APInt::getOneBitSet(64, bits)));
    if (safe) return map(expression, [&](const SCEV* part) { return widen(part, type); });
  }
  return bits >= index_bits || isa<SCEVConstant>(expression) ? SE.getSignExtendExpr(expression, type)
                                                             : SE.getZeroExtendExpr(expression, type);
}

const SCEV* Resolver::narrow(const SCEV* expression, Type* type) {
  if (type->getIntegerBitWidth() >= index_bits && isa<SCEVAddRecExpr, SCEVAddExpr, SCEVMulExpr>(expression))
    return map(expression, [&](const SCEV* part) { return narrow(part, type); });
  return SE.getTruncateExpr(expression, type);
}

const SCEV* Resolver::visitSignExtendExpr(const SCEVSignExtendExpr* cast) {
  return widen(visit(cast->getOperand()), cast->getType());
}

const SCEV* Resolver::visitZeroExtendExpr(const SCEVZeroExtendExpr* cast) {
  const SCEV* operand = visit(cast->getOperand());
  return isa<SCEVConstant>(operand) ? SE.getZeroExtendExpr(operand, cast->getType()) : widen(operand, cast->getType());
}

const SCEV* Resolver::visitTruncateExpr(const SCEVTruncateExpr* cast) {
  return narrow(visit(cast->getOperand()), cast->getType());
}

const SCEV* Resolver::visitUDivExpr(const SCEVUDivExpr* division) {
  const SCEV* dividend = visit(division->getLHS());
  const SCEV* divisor = visit(division->getRHS());
  const SCEV* slow = quotient(dividend, divisor, nullptr);
  return slow ? slow : SE.getUDivExpr(dividend, divisor);
}

const SCEV* Resolver::resolve_division(BinaryOperator& division) {
  const SCEV* dividend = resolve(division.getOperand(0));
  const SCEV* divisor = resolve(division.getOperand(1));
  const SCEV* slow = quotient(dividend, divisor, &division);
  bool remainder = division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
  return !slow || !remainder ? slow : SE.getMinusSCEV(dividend, SE.getMulExpr(slow, divisor));
}

/// A stand-in for dividend / divisor if that changes slowly, else null.
const SCEV* Resolver::quotient(const SCEV* dividend, const SCEV* divisor, const Instruction* of) {
  const auto* recurrence = dyn_cast<SCEVAddRecExpr>(dividend);
  if (!recurrence || !recurrence->isAffine() || !rests(divisor)) return nullptr;
  const SCEV* step = recurrence->getStepRecurrence(SE);
  const auto* constant = dyn_cast<SCEVConstant>(divisor);
  if (constant ? wraps_often(step, constant->getAPInt()) && !step->isOne() : !isa<SCEVConstant>(step)) return nullptr;
  const SCEV*& made = quotients[{dividend, divisor}];
  if (!made) made = SE.getUnknown(stand_ins.make(dividend->getType(), {of, recurrence->getLoop(), dividend, divisor}));
  return made;
}

}  // namespace lbhm::compiler
