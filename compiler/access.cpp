#include "compiler/access.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Memory that no placement can move: the stack, thread-locals, constants, other address spaces.
bool is_left_alone(const Value* pointer, bool write) {
  if (pointer->isSwiftError() || pointer->getType()->getScalarType()->getPointerAddressSpace() != 0) return true;
  if (pointer->getType()->isVectorTy()) return false;
  const Value* base = getUnderlyingObject(pointer, 0);
  if (isa<AllocaInst>(base) || isa<ConstantPointerNull>(base)) return true;
  if (const auto* argument = dyn_cast<Argument>(base)) return argument->hasByValAttr();
  const auto* global = dyn_cast<GlobalVariable>(base);
  return global && (global->isThreadLocal() || (global->isConstant() && !write));
}

/// Collects the accesses of one instruction.
class Finder {
 public:
  Finder(Instruction& of, const TargetLibraryInfo& known)
      : instruction(of), library(known), layout(of.getModule()->getDataLayout()) {}

  Accesses find() {
    if (auto* load = dyn_cast<LoadInst>(&instruction))
      plain(load->getPointerOperand(), load->getType(), load->getAlign(), false);
    if (auto* store = dyn_cast<StoreInst>(&instruction))
      plain(store->getPointerOperand(), store->getValueOperand()->getType(), store->getAlign(), true);
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
      plain(update->getPointerOperand(), update->getValOperand()->getType(), update->getAlign(), true);
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      plain(exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), exchange->getAlign(), true);
    if (auto* copy = dyn_cast<MemIntrinsic>(&instruction))
      memory_intrinsic(*copy);
    else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction))
      masked_intrinsic(*intrinsic);
    else if (auto* call = dyn_cast<CallInst>(&instruction))
      library_call(*call);
    return std::move(result);
  }

 private:
  void add(Access access, unsigned count) {
    if (is_left_alone(access.pointer, access.write)) {
      ++result.skipped;
      return;
    }
    result.seen.push_back(access);
    result.count += count;
  }

  void plain(Value* pointer, Type* type, Align align, bool write) {
    TypeSize size = layout.getTypeStoreSize(type);
    if (size.isScalable() || size.isZero() || size.getFixedValue() > largest_plain_bytes) return void(++result.skipped);
    add({.instruction = &instruction,
         .pointer = pointer,
         .write = write,
         .nontemporal = write && instruction.hasMetadata(LLVMContext::MD_nontemporal),
         .align = align,
         .bytes = size.getFixedValue()},
        1);
  }

  void range(Value* pointer, Value* size, bool write, Align align) {
    Access access{.instruction = &instruction,
                  .pointer = pointer,
                  .shape = Shape::range,
                  .write = write,
                  .align = align,
                  .size = size};
    const auto* constant = dyn_cast<ConstantInt>(size);
    if (!constant) return add(access, 0);
    access.bytes = constant->getZExtValue();
    if (access.bytes == 0) return;
    if (access.bytes > small_copy_bytes) return add(access, 0);
    access.shape = Shape::plain;
    add(access, static_cast<unsigned>((access.bytes + 15) / 16));  // the copy will be made with 16-byte registers
  }

  void memory_intrinsic(MemIntrinsic& copy) {
    if (auto* transfer = dyn_cast<MemTransferInst>(&copy))
      range(transfer->getRawSource(), copy.getLength(), false, transfer->getSourceAlign().valueOrOne());
    range(copy.getRawDest(), copy.getLength(), true, copy.getDestAlign().valueOrOne());
  }

  void library_call(CallInst& call) {
    LibFunc function;
    if (!library.getLibFunc(call, function)) return;
    bool copies = function == LibFunc_memcpy || function == LibFunc_memmove || function == LibFunc_mempcpy ||
                  function == LibFunc_memcpy_chk || function == LibFunc_memmove_chk;
    if (!copies && function != LibFunc_memset && function != LibFunc_memset_chk) return;
    if (copies) range(call.getArgOperand(1), call.getArgOperand(2), false, Align(1));
    range(call.getArgOperand(0), call.getArgOperand(2), true, Align(1));
  }

  void masked(Shape shape, Value* pointer, Value* mask, Type* vector, bool write) {
    auto* type = dyn_cast<FixedVectorType>(vector);
    if (!type || type->getNumElements() > small_copy_bytes) return void(++result.skipped);
    add({.instruction = &instruction,
         .pointer = pointer,
         .shape = shape,
         .write = write,
         .bytes = layout.getTypeStoreSize(type->getElementType()),
         .mask = mask},
        1);
  }

  void masked_intrinsic(IntrinsicInst& call) {
    auto argument = [&](unsigned index) { return call.getArgOperand(index); };
    switch (call.getIntrinsicID()) {
      case Intrinsic::masked_load:
        return masked(Shape::masked, argument(0), argument(2), call.getType(), false);
      case Intrinsic::masked_store:
        return masked(Shape::masked, argument(1), argument(3), argument(0)->getType(), true);
      case Intrinsic::masked_gather:
        return masked(Shape::lanes, argument(0), argument(2), call.getType(), false);
      case Intrinsic::masked_scatter:
        return masked(Shape::lanes, argument(1), argument(3), argument(0)->getType(), true);
      case Intrinsic::masked_expandload:
        return masked(Shape::packed, argument(0), argument(1), call.getType(), false);
      case Intrinsic::masked_compressstore:
        return masked(Shape::packed, argument(1), argument(2), argument(0)->getType(), true);
      default:
        return;
    }
  }

  Instruction& instruction;
  const TargetLibraryInfo& library;
  const DataLayout& layout;
  Accesses result;
};

}  // namespace

Accesses find_accesses(Instruction& instruction, const TargetLibraryInfo& library) {
  return Finder(instruction, library).find();
}

}  // namespace lbhm::compiler
