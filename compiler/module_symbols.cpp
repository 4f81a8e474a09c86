#include "compiler/module_symbols.h"

#include <cstddef>
#include <string>

#include "lbhm/instrumentation.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

constexpr std::size_t field_bytes = 8;
static_assert(offsetof(lbhm_emu_thread, limit) == field_limit * field_bytes);
static_assert(offsetof(lbhm_emu_thread, mispredictions) == field_mispredictions * field_bytes);
static_assert(offsetof(lbhm_emu_thread, sink) == field_sink * field_bytes);
/// Writes the hidden functions of one module.
class SymbolWriter {
 public:
  explicit SymbolWriter(Module& target)
      : module(target),
        context(target.getContext()),
        pointer(PointerType::get(context, 0)),
        word(Type::getInt64Ty(context)) {}

  ModuleSymbols write() {
    type = StructType::get(
        context, {pointer, pointer, word, word, word, word, word, pointer, ArrayType::get(word, LBHM_EMU_SINK)});
    GlobalVariable* thread = variable(type, "thread");
    thread->setThreadLocal(true);
    refill_pointer = variable(pointer, "refill_pointer");
    range_pointer = variable(pointer, "range_pointer");
    write_sink_refill();
    write_lookup();
    return {type, thread, write_refill(), write_range()};
  }

 private:
  GlobalVariable* variable(Type* of, const char* name) {
    auto* global = new GlobalVariable(module, of, false, GlobalValue::LinkOnceODRLinkage, Constant::getNullValue(of),
                                      Twine(own_prefix) + name);
    hide(*global);
    return global;
  }

  Function* function(const char* name, ArrayRef<Type*> parameters) {
    auto* made = Function::Create(FunctionType::get(Type::getVoidTy(context), parameters, false),
                                  GlobalValue::LinkOnceODRLinkage, Twine(own_prefix) + name, module);
    hide(*made);
    made->addFnAttr(Attribute::NoInline);
    made->addFnAttr(Attribute::NoUnwind);
    made->setUWTableKind(UWTableKind::Default);
    builder.SetInsertPoint(BasicBlock::Create(context, "entry", made));
    return made;
  }

  void hide(GlobalObject& object) {
    object.setVisibility(GlobalValue::HiddenVisibility);
    object.setDSOLocal(true);
    object.setComdat(module.getOrInsertComdat(object.getName()));
  }

  LoadInst* read(GlobalVariable* of) {
    auto* value = builder.CreateAlignedLoad(pointer, of, Align(8));
    value->setAtomic(AtomicOrdering::Monotonic);
    return value;
  }

  void write_to(GlobalVariable* where, Value* value) {
    builder.CreateAlignedStore(value, where, Align(8))->setAtomic(AtomicOrdering::Monotonic);
  }

  /// Without liblbhm: the buffer is the sink, over and over. Half of it is kept as the room after `limit`.
  void write_sink_refill() {
    sink_refill = function("sink_refill", {pointer});
    Value* thread = sink_refill->getArg(0);
    Value* sink = builder.CreateStructGEP(type, thread, field_sink);
    builder.CreateStore(sink, builder.CreateStructGEP(type, thread, field_next));
    builder.CreateStore(builder.CreateConstGEP1_64(word, sink, LBHM_EMU_SINK / 2),
                        builder.CreateStructGEP(type, thread, field_limit));
    builder.CreateRetVoid();
  }

  /// Looks for liblbhm once, at start-up, before there are threads that could lose entries. The sink is set first:
  /// dlsym may allocate, and the program's own malloc may be instrumented.
  void write_lookup() {
    lookup = function("lookup", {});
    write_to(refill_pointer, sink_refill);
    auto* dlsym_type = FunctionType::get(pointer, {pointer, pointer}, false);
    auto* dlsym = dyn_cast<Function>(module.getOrInsertFunction("dlsym", dlsym_type).getCallee());
    // Weak: a static program has no dlsym, and then nobody to find with it.
    if (dlsym && dlsym->isDeclaration()) dlsym->setLinkage(GlobalValue::ExternalWeakLinkage);
    auto* found = BasicBlock::Create(context, "found", lookup);
    auto* done = BasicBlock::Create(context, "done", lookup);
    Value* there = dlsym ? builder.CreateIsNotNull(dlsym) : builder.getFalse();
    builder.CreateCondBr(there, found, done);
    builder.SetInsertPoint(found);
    Value* null = ConstantPointerNull::get(pointer);
    auto symbol = [&](const char* name) -> Value* {
      if (!dlsym) return null;
      return builder.CreateCall(dlsym_type, dlsym, {null, builder.CreateGlobalString(name)});
    };
    write_to(range_pointer, symbol(LBHM_EMU_RANGE_NAME));
    Value* refill = symbol(LBHM_EMU_REFILL_NAME);
    write_to(refill_pointer, builder.CreateSelect(builder.CreateIsNull(refill), sink_refill, refill));
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    appendToGlobalCtors(module, lookup, 0, lookup);
  }

  Function* write_refill() {
    Function* refill = function("refill", {pointer});
    refill->setCallingConv(CallingConv::PreserveMost);  // the slow path must not cost the fast one its registers
    refill->addFnAttr(Attribute::Cold);
    auto* first = BasicBlock::Create(context, "first", refill);
    auto* go = BasicBlock::Create(context, "go", refill);
    builder.CreateCondBr(builder.CreateIsNull(read(refill_pointer)), first, go);
    builder.SetInsertPoint(first);  // before our constructor: in those of the libraries, or in an early malloc
    builder.CreateCall(lookup);
    builder.CreateBr(go);
    builder.SetInsertPoint(go);
    builder.CreateCall(FunctionType::get(builder.getVoidTy(), {pointer}, false), read(refill_pointer),
                       {refill->getArg(0)});
    builder.CreateRetVoid();
    return refill;
  }

  Function* write_range() {
    Function* range = function("range", {pointer, pointer, word, word});
    auto* go = BasicBlock::Create(context, "go", range);
    auto* done = BasicBlock::Create(context, "done", range);
    Value* target = read(range_pointer);
    builder.CreateCondBr(builder.CreateIsNull(target), done, go);
    builder.SetInsertPoint(go);
    builder.CreateCall(range->getFunctionType(), target,
                       {range->getArg(0), range->getArg(1), range->getArg(2), range->getArg(3)});
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    return range;
  }

  Module& module;
  LLVMContext& context;
  PointerType* pointer;
  IntegerType* word;
  IRBuilder<> builder{context};
  StructType* type = nullptr;
  GlobalVariable* refill_pointer = nullptr;
  GlobalVariable* range_pointer = nullptr;
  Function* sink_refill = nullptr;
  Function* lookup = nullptr;
};

}  // namespace

ModuleSymbols add_symbols(Module& module) { return SymbolWriter(module).write(); }

void add_module_record(Module& module, unsigned sites, unsigned skipped) {
  auto* number = Type::getInt32Ty(module.getContext());
  auto constant = [&](unsigned value) { return ConstantInt::get(number, value); };
  auto* record = ConstantStruct::getAnon({constant(LBHM_EMU_ABI), constant(sites), constant(skipped), constant(0)});
  auto* global = new GlobalVariable(module, record->getType(), true, GlobalValue::InternalLinkage, record,
                                    Twine(own_prefix) + "module");
  global->setSection(LBHM_EMU_SECTION);
  global->setAlignment(Align(4));
  appendToUsed(module, {global});
}

}  // namespace lbhm::compiler
