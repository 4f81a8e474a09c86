#include "compiler/instrument/accesses.h"

#include "llvm/ADT/SetVector.h"
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

/// More values than this are not looked at: real addresses are computed in few steps.
constexpr unsigned walk_limit = 128;

using Queue = SmallSetVector<Value*, 32>;

/// What was stored into the local variable: the value of a load from it.
void add_stored_values(AllocaInst& variable, Queue& queue) {
  for (User* user : variable.users()) {
    auto* store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == &variable) queue.insert(store->getValueOperand());
  }
}

/// Puts into the queue what the value is computed from.
void add_operands(Instruction& value, Queue& queue) {
  if (auto* load = dyn_cast<LoadInst>(&value)) {
    if (auto* variable = dyn_cast<AllocaInst>(load->getPointerOperand())) return add_stored_values(*variable, queue);
    queue.insert(load->getPointerOperand());
    return;
  }
  auto* intrinsic = dyn_cast<IntrinsicInst>(&value);
  bool computes = isa<GetElementPtrInst, CastInst, BinaryOperator, UnaryOperator, PHINode, SelectInst, CmpInst,
                      FreezeInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst>(value) ||
                  (intrinsic && intrinsic->doesNotAccessMemory());
  if (!computes) return;
  for (Use& operand : value.operands()) queue.insert(operand.get());
}

}  // namespace

Accesses find_accesses(Instruction& instruction, const TargetLibraryInfo& library) {
  return Finder(instruction, library).find();
}

bool LoadDependences::has_site(Instruction& load) const {
  return load.mayReadFromMemory() && !load.getType()->isVoidTy() && !find_accesses(load, library).seen.empty();
}

bool LoadDependences::varies_around(Instruction& load, const Instruction& user) const {
  const Loop* loop = loops.getLoopFor(user.getParent());
  if (!loop || !loop->contains(&load)) return false;
  auto accesses = find_accesses(load, library);
  Value* pointer = accesses.seen.front().pointer;
  return !evolution.isSCEVable(pointer->getType()) || !evolution.isLoopInvariant(evolution.getSCEV(pointer), loop);
}

/// Of the loads that read elsewhere in each iteration the one that is executed after the others. `same_iteration`: not
/// those whose value an earlier iteration of the loop handed on.
Instruction* LoadDependences::last_varying(Value& value, const Instruction& user, bool same_iteration) const {
  const Loop* loop = loops.getLoopFor(user.getParent());
  if (!loop) return nullptr;
  Queue queue;
  queue.insert(&value);
  Instruction* last = nullptr;
  for (unsigned at = 0; at < queue.size() && at < walk_limit; ++at) {
    auto* from = dyn_cast<Instruction>(queue[at]);
    if (!from || (same_iteration && isa<PHINode>(from) && from->getParent() == loop->getHeader())) continue;
    if (!has_site(*from)) {
      add_operands(*from, queue);
    } else if (varies_around(*from, user) && (!last || dominators.dominates(last, from))) {
      last = from;
    }
  }
  return last;
}

Instruction* LoadDependences::nearest(Value& value) const {
  Queue queue;
  queue.insert(&value);
  for (unsigned at = 0; at < queue.size() && at < walk_limit; ++at) {
    auto* from = dyn_cast<Instruction>(queue[at]);
    if (!from) continue;
    if (has_site(*from)) return from;
    add_operands(*from, queue);
  }
  return nullptr;
}

Instruction* LoadDependences::source_of(Value& value, const Instruction& user) const {
  if (Instruction* last = last_varying(value, user, true)) return last;
  if (Instruction* last = last_varying(value, user, false)) return last;
  return nearest(value);
}

}  // namespace lbhm::compiler
