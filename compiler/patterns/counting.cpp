#include "compiler/patterns/counting.h"

#include <cstdlib>

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More values than this between two iterations are no counter.
constexpr unsigned walk_limit = 32;

class Counter {
 public:
  Counter(const PHINode& of, const Loop& in) : phi(of), loop(in), layout(of.getModule()->getDataLayout()) {}

  std::optional<std::int64_t> step() {
    for (unsigned at = 0; at < phi.getNumIncomingValues(); ++at) {
      if (loop.contains(phi.getIncomingBlock(at))) queue.insert(phi.getIncomingValue(at));
    }
    for (unsigned at = 0; at < queue.size(); ++at) {
      if (at == walk_limit || (queue[at] != &phi && !follow(*queue[at]))) return std::nullopt;
    }
    return smallest == 0 ? std::nullopt : std::optional(smallest);
  }

 private:
  bool follow(Value& value) {
    auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop.contains(instruction)) return false;
    if (auto* merge = dyn_cast<PHINode>(instruction)) {
      for (Value* incoming : merge->incoming_values()) queue.insert(incoming);
      return true;
    }
    if (auto* select = dyn_cast<SelectInst>(instruction)) {
      queue.insert(select->getTrueValue());
      queue.insert(select->getFalseValue());
      return true;
    }
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(instruction)) {
      queue.insert(instruction->getOperand(0));
      return true;
    }
    if (auto* place = dyn_cast<GEPOperator>(instruction)) {
      APInt offset(layout.getIndexTypeSizeInBits(place->getType()), 0);
      return place->accumulateConstantOffset(layout, offset) && add(offset.getSExtValue(), *place->getPointerOperand());
    }
    if (instruction->getOpcode() != Instruction::Add) return false;
    for (unsigned at : {0U, 1U}) {  // i += condition
      auto* condition = dyn_cast<CastInst>(instruction->getOperand(at));
      if (condition && condition->getSrcTy()->isIntegerTy(1))
        return add(isa<SExtInst>(condition) ? -1 : 1, *instruction->getOperand(1 - at));
    }
    auto* constant = dyn_cast<ConstantInt>(instruction->getOperand(1));
    return constant && constant->getBitWidth() <= 64 && add(constant->getSExtValue(), *instruction->getOperand(0));
  }

  bool add(std::int64_t step, Value& to) {
    if (step != 0 && smallest != 0 && (step > 0) != (smallest > 0)) return false;
    if (step != 0 && (smallest == 0 || std::abs(step) < std::abs(smallest))) smallest = step;
    queue.insert(&to);
    return true;
  }

  const PHINode& phi;
  const Loop& loop;
  const DataLayout& layout;
  SmallSetVector<Value*, 16> queue;
  std::int64_t smallest = 0;
};

}  // namespace

std::optional<std::int64_t> steps_of_counter(const PHINode& phi, const Loop& loop) { return Counter(phi, loop).step(); }

}  // namespace lbhm::compiler
