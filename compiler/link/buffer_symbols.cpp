#include "compiler/link/buffer_symbols.h"

#include <cstddef>

#include "compiler/link/merged_symbols.h"
#include "compiler/link/runtime_lookup.h"
#include "lbhm/instrumentation.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

constexpr std::size_t field_bytes = 8;
static_assert(offsetof(lbhm_emu_thread, limit) == field_limit * field_bytes);
static_assert(offsetof(lbhm_emu_thread, history) == field_history * field_bytes);
static_assert(offsetof(lbhm_emu_thread, predictor) == field_predictor * field_bytes);
static_assert(offsetof(lbhm_emu_thread, sink) == field_predictor * field_bytes + LBHM_EMU_PREDICTOR);

StructType* thread_type(const MergedSymbols& merged) {
  SmallVector<Type*, 16> fields(field_predictor, merged.word);
  for (ThreadField field : {field_next, field_limit, field_owner}) fields[field] = merged.pointer;
  fields.push_back(ArrayType::get(Type::getInt8Ty(merged.module.getContext()), LBHM_EMU_PREDICTOR));
  fields.push_back(ArrayType::get(merged.word, LBHM_EMU_SINK));
  return StructType::get(merged.module.getContext(), fields);
}

/// Without liblbhm: the buffer is the sink, over and over. Half of it is kept as the room after `limit`.
Function* write_sink_refill(MergedSymbols& merged, StructType* type) {
  Function* refill = merged.function("sink_refill", {merged.pointer});
  IRBuilder<>& builder = merged.builder;
  Value* thread = refill->getArg(0);
  Value* sink = builder.CreateStructGEP(type, thread, field_sink);
  builder.CreateStore(sink, builder.CreateStructGEP(type, thread, field_next));
  builder.CreateStore(builder.CreateConstGEP1_64(merged.word, sink, LBHM_EMU_SINK / 2),
                      builder.CreateStructGEP(type, thread, field_limit));
  builder.CreateRetVoid();
  return refill;
}

/// The slow path must not cost the fast one its registers.
void keep_registers(Function& function) { function.setCallingConv(CallingConv::PreserveMost); }

Function* write_refill(MergedSymbols& merged, GlobalVariable* target, Function* lookup) {
  Function* refill = merged.function("refill", {merged.pointer});
  keep_registers(*refill);
  refill->addFnAttr(Attribute::Cold);
  IRBuilder<>& builder = merged.builder;
  auto* first = BasicBlock::Create(merged.module.getContext(), "first", refill);
  auto* go = BasicBlock::Create(merged.module.getContext(), "go", refill);
  builder.CreateCondBr(builder.CreateIsNull(merged.read(target)), first, go);
  builder.SetInsertPoint(first);  // before our constructor: in those of the libraries, or in an early malloc
  builder.CreateCall(lookup);
  builder.CreateBr(go);
  builder.SetInsertPoint(go);
  builder.CreateCall(refill->getFunctionType(), merged.read(target), {refill->getArg(0)});
  builder.CreateRetVoid();
  return refill;
}

}  // namespace

ModuleSymbols add_symbols(Module& module) {
  MergedSymbols merged(module);
  StructType* type = thread_type(merged);
  GlobalVariable* thread = merged.variable(type, "thread");
  thread->setThreadLocal(true);
  auto entrance = [&](const char* name) { return merged.variable(merged.pointer, name); };
  Entrances entrances{entrance("refill_pointer"), entrance("range_pointer"), entrance("order_pointer"),
                      entrance("order_end_pointer")};
  Function* lookup = write_runtime_lookup(merged, entrances, write_sink_refill(merged, type));
  PointerType* pointer = merged.pointer;
  ModuleSymbols symbols{
      .thread_type = type,
      .thread = thread,
      .refill = write_refill(merged, entrances.refill, lookup),
      .range = merged.forwarder("range", {pointer, pointer, merged.word, merged.word}, entrances.range),
      .order = merged.forwarder("order", {pointer}, entrances.order),
      .order_end = merged.forwarder("order_end", {pointer}, entrances.order_end),
  };
  keep_registers(*symbols.order);
  keep_registers(*symbols.order_end);
  return symbols;
}

void add_module_record(Module& module, unsigned sites, unsigned skipped) {
  auto* number = Type::getInt32Ty(module.getContext());
  auto constant = [&](unsigned value) { return ConstantInt::get(number, value); };
  auto* record = ConstantStruct::getAnon({constant(LBHM_EMU_ABI), constant(sites), constant(skipped), constant(0)});
  auto* global = new GlobalVariable(module, record->getType(), true, GlobalValue::InternalLinkage, record,
                                    Twine(plugin_prefix) + "module");
  global->setSection(LBHM_EMU_SECTION);
  global->setAlignment(Align(4));
  appendToUsed(module, {global});
}

}  // namespace lbhm::compiler
