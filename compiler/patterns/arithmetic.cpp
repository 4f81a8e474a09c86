// Casts and divisions of the resolver.
#include "compiler/patterns/resolver.h"

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
