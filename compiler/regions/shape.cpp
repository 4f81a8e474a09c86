#include "compiler/regions/shape.h"

#include <string>

#include "compiler/own.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/xxhash.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

class Shape {
 public:
  explicit Shape(ArrayRef<BasicBlock*> blocks) {
    for (const BasicBlock* block : blocks) numbers.try_emplace(block, numbers.size() + 1);
  }

  void add(const BasicBlock& block) {
    for (const Instruction& instruction : block) {
      // Such instructions come and go with debug information, and ours with versions of the plugin.
      if (!isa<DbgInfoIntrinsic>(instruction) && !is_own(instruction)) add(instruction);
    }
  }

  std::uint64_t hash() const { return xxh3_64bits(text); }

 private:
  void number(std::uint64_t value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); }

  void type(const Type* of) { number(of->getTypeID() | (std::uint64_t{of->getScalarSizeInBits()} << 8U)); }

  void add(const Instruction& instruction) {
    number(instruction.getOpcode() | (std::uint64_t{instruction.getNumOperands()} << 16U));
    type(instruction.getType());
    if (const auto* compare = dyn_cast<CmpInst>(&instruction)) number(compare->getPredicate());
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) type(store->getValueOperand()->getType());
    if (const auto* call = dyn_cast<CallBase>(&instruction)) {
      if (const Function* callee = call->getCalledFunction()) text += callee->getName();
    }
    if (!instruction.isTerminator()) return;
    for (unsigned at = 0; at < instruction.getNumSuccessors(); ++at)
      number(numbers.lookup(instruction.getSuccessor(at)));
  }

  DenseMap<const BasicBlock*, std::uint64_t> numbers;
  std::string text;
};

}  // namespace

std::uint64_t shape_of(ArrayRef<BasicBlock*> blocks) {
  Shape shape(blocks);
  for (const BasicBlock* block : blocks) shape.add(*block);
  return shape.hash();
}

}  // namespace lbhm::compiler
