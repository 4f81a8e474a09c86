#include "compiler/patterns/amounts.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More operations than this on top of each other, or more constants, are no choice that a person would write.
constexpr unsigned deepest = 4;
constexpr unsigned most_amounts = 8;
/// Counters' steps are small: with factors up to this many bits products do not overflow.
constexpr unsigned most_bits = 31;

Amounts amounts_of(const Value& value, unsigned depth);

/// What any of the operands may be.
template <class Operands>
Amounts all_of_them(const Operands& operands, unsigned depth) {
  Amounts all;
  for (const Value* operand : operands) {
    const Amounts some = amounts_of(*operand, depth);
    if (some.empty() || all.size() + some.size() > most_amounts) return {};
    all.append(some);
  }
  return all;
}

/// A choice times a constant: of conditions, the optimiser makes shifts.
Amounts scaled(const BinaryOperator& operation, unsigned depth) {
  const auto* by = dyn_cast<ConstantInt>(operation.getOperand(1));
  const bool shifts = operation.getOpcode() == Instruction::Shl;
  if (!by || (!shifts && operation.getOpcode() != Instruction::Mul) || by->getValue().getSignificantBits() > most_bits)
    return {};
  const std::int64_t constant = by->getSExtValue();
  if (shifts && (constant < 0 || constant >= most_bits)) return {};
  Amounts all = amounts_of(*operation.getOperand(0), depth);
  for (std::int64_t& amount : all) amount *= shifts ? std::int64_t{1} << constant : constant;
  return all;
}

Amounts amounts_of(const Value& value, unsigned depth) {
  if (const auto* constant = dyn_cast<ConstantInt>(&value)) {
    if (constant->getValue().getSignificantBits() > most_bits) return {};
    return {constant->getSExtValue()};
  }
  if (depth == 0) return {};
  if (const auto* cast = dyn_cast<CastInst>(&value)) {
    if (!isa<SExtInst, ZExtInst>(cast)) return {};
    if (!cast->getSrcTy()->isIntegerTy(1)) return amounts_of(*cast->getOperand(0), depth - 1);
    return {0, isa<SExtInst>(cast) ? -1 : 1};
  }
  if (const auto* select = dyn_cast<SelectInst>(&value))
    return all_of_them(ArrayRef<const Value*>{select->getTrueValue(), select->getFalseValue()}, depth - 1);
  if (const auto* phi = dyn_cast<PHINode>(&value)) return all_of_them(phi->incoming_values(), depth - 1);
  const auto* operation = dyn_cast<BinaryOperator>(&value);
  return operation ? scaled(*operation, depth - 1) : Amounts{};
}

}  // namespace

Amounts amounts_of(const Value& value) { return amounts_of(value, deepest); }

}  // namespace lbhm::compiler
