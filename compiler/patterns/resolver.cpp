#include "compiler/patterns/resolver.h"

#include "compiler/patterns/counting.h"

namespace lbhm::compiler {

using namespace llvm;

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

}  // namespace lbhm::compiler
