#include "compiler/patterns/counting.h"

#include <cstdlib>

#include "compiler/patterns/amounts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

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
