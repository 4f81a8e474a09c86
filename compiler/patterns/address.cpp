#include "compiler/patterns/address.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Recurrences in what is no sum: masks, divisions.
void scramble(const SCEV* expression, Address& address) {
  SCEVExprContains(expression, [&](const SCEV* part) {
    if (const auto* recurrence = dyn_cast<SCEVAddRecExpr>(part)) address.scrambled.insert(recurrence->getLoop());
    return false;
  });
}

/// Takes the recurrences off, wherever in a sum they are.
void take_steps(const SCEV* expression, const Loop& around, Address& address) {
  if (const auto* recurrence = dyn_cast<SCEVAddRecExpr>(expression)) {
    if (recurrence->getLoop()->contains(&around)) {
      if (recurrence->isAffine())
        address.steps.push_back({recurrence->getLoop(), recurrence->getOperand(1)});
      else
        address.scrambled.insert(recurrence->getLoop());
    }
    return take_steps(recurrence->getStart(), around, address);
  }
  if (const auto* sum = dyn_cast<SCEVAddExpr>(expression)) {
    for (const SCEV* part : sum->operands()) take_steps(part, around, address);
    return;
  }
  scramble(expression, address);
}

/// The step of a quotient: by one more, while the remainder begins anew, so that the dividend is one divisor larger.
void add_outer_step(const Value& quotient, const StandIn& as, const Nest& nest, Address& address) {
  ScalarEvolution& evolution = nest.evolution;
  const SCEV* unknown = evolution.getSCEV(const_cast<Value*>(&quotient));
  const SCEV* more = evolution.getAddExpr(unknown, evolution.getOne(unknown->getType()));
  ValueToSCEVMapTy next{{&quotient, more}};
  const SCEV* apart =
      evolution.getMinusSCEV(SCEVParameterRewriter::rewrite(address.expression, evolution, next), address.expression);
  if (isa<SCEVCouldNotCompute>(apart)) return;
  const SCEV* step = address.step_in(*as.level);
  const auto* own = cast<SCEVAddRecExpr>(as.dividend)->getStepRecurrence(evolution);
  if (step && own->isOne()) {
    const SCEV* divisor = evolution.getTruncateOrSignExtend(as.divisor, step->getType());
    apart = evolution.getAddExpr(apart, evolution.getMulExpr(step, divisor));
  }
  if (!apart->isZero()) address.steps.push_back({as.level, apart, true});
}

}  // namespace

const SCEV* Address::step_in(const Loop& loop) const {
  for (const Step& step : steps) {
    if (step.loop == &loop) return step.bytes;
  }
  return nullptr;
}

bool Address::changes_by_value(const Loop& loop, const Resolver& resolver) const {
  return any_of(leaves, [&](const Value* leaf) {
    if (const StandIn* other = resolver.stand_in(leaf))
      return !other->divisor && other->level != &loop && loop.contains(other->level);
    const auto* instruction = dyn_cast<Instruction>(leaf);
    return instruction && loop.contains(instruction);
  });
}

Address find_address(const Value& pointer, const Loop& around, const Nest& nest, Resolver& resolver) {
  Address address;
  ScalarEvolution& evolution = nest.evolution;
  if (!evolution.isSCEVable(pointer.getType())) return address;
  auto* value = const_cast<Value*>(&pointer);
  address.expression = resolver.visit(evolution.getSCEVAtScope(evolution.getSCEV(value), &around));
  address.base = evolution.getPointerBase(address.expression);
  take_steps(address.expression, around, address);
  sort(address.steps, [](const Step& a, const Step& b) { return a.loop->getLoopDepth() > b.loop->getLoopDepth(); });
  address.leaves = lbhm::compiler::leaves(address.expression);
  for (const Value* leaf : address.leaves) {
    const StandIn* other = resolver.stand_in(leaf);
    if (other && other->divisor && other->level->contains(&around)) add_outer_step(*leaf, *other, nest, address);
  }
  return address;
}

}  // namespace lbhm::compiler
