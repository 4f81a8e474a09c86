#include "compiler/patterns/conditional_counters.h"

#include <cstdlib>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More operations than this on top of each other, or more constants, are no choice that a person would write.
constexpr unsigned deepest = 4;
constexpr unsigned most_amounts = 8;
/// Counters' steps are small: with factors up to this many bits products do not overflow.
constexpr unsigned most_bits = 31;

using Amounts = SmallVector<std::int64_t, 2>;

/// The constants of which the value is one: itself, 0 or 1 for a condition made a number, those of a choice between
/// constants. Which of them it is may depend on anything. Empty if it may be another number.
Amounts amounts_of(const Value& value, unsigned depth = deepest);

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

/// More values than this between two iterations are no counter.
constexpr unsigned walk_limit = 64;

/// A value, and whether a step was made behind it.
using Way = PointerIntPair<Value*, 1, bool>;

/// Walks from the next iteration's value back to the phi, on all ways.
class Counter {
 public:
  Counter(const PHINode& of, const Loop& in) : phi(of), loop(in), layout(of.getModule()->getDataLayout()) {}

  std::optional<CounterStep> step() {
    for (unsigned at = 0; at < phi.getNumIncomingValues(); ++at) {
      if (loop.contains(phi.getIncomingBlock(at))) queue.insert(Way(phi.getIncomingValue(at), false));
    }
    bool sometimes = false;
    for (unsigned at = 0; at < queue.size(); ++at) {
      Value* value = queue[at].getPointer();
      const bool moved = queue[at].getInt();
      if (at == walk_limit || (value != &phi && !follow(*value, moved))) return std::nullopt;
      sometimes |= value == &phi && !moved;
    }
    if (smallest == 0) return std::nullopt;
    return CounterStep{.step = smallest, .sometimes = sometimes};
  }

 private:
  bool follow(Value& value, bool moved) {
    auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop.contains(instruction)) return false;
    if (auto* merge = dyn_cast<PHINode>(instruction)) {
      for (Value* incoming : merge->incoming_values()) queue.insert(Way(incoming, moved));
      return true;
    }
    if (auto* select = dyn_cast<SelectInst>(instruction)) {
      queue.insert(Way(select->getTrueValue(), moved));
      queue.insert(Way(select->getFalseValue(), moved));
      return true;
    }
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(instruction)) {
      queue.insert(Way(instruction->getOperand(0), moved));
      return true;
    }
    if (auto* place = dyn_cast<GEPOperator>(instruction)) return follow_place(*place, moved);
    const bool down = instruction->getOpcode() == Instruction::Sub;
    if (!down && instruction->getOpcode() != Instruction::Add) return false;
    for (unsigned at : {1U, 0U}) {
      if (add(amounts_of(*instruction->getOperand(at)), down ? -1 : 1, 0, *instruction->getOperand(1 - at), moved))
        return true;
      if (down) return false;
    }
    return false;
  }

  bool follow_place(GEPOperator& place, bool moved) {
    const unsigned bits = layout.getIndexTypeSizeInBits(place.getType());
    MapVector<Value*, APInt> indices;
    APInt offset(bits, 0);
    if (!place.collectOffset(layout, bits, indices, offset) || indices.size() > 1) return false;
    if (indices.empty()) return add({0}, 1, offset.getSExtValue(), *place.getPointerOperand(), moved);
    const auto& [index, scale] = indices.front();
    return add(amounts_of(*index), scale.getSExtValue(), offset.getSExtValue(), *place.getPointerOperand(), moved);
  }

  bool add(const Amounts& amounts, std::int64_t scale, std::int64_t offset, Value& to, bool moved) {
    for (const std::int64_t amount : amounts) {
      const std::int64_t step = amount * scale + offset;
      if (step != 0 && smallest != 0 && (step > 0) != (smallest > 0)) return false;
      if (step != 0 && (smallest == 0 || std::abs(step) < std::abs(smallest))) smallest = step;
      queue.insert(Way(&to, moved || step != 0));
    }
    return !amounts.empty();
  }

  const PHINode& phi;
  const Loop& loop;
  const DataLayout& layout;
  SmallSetVector<Way, 16> queue;
  std::int64_t smallest = 0;
};

}  // namespace

std::optional<CounterStep> steps_of_counter(const PHINode& phi, const Loop& loop) { return Counter(phi, loop).step(); }

}  // namespace lbhm::compiler
