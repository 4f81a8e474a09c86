#include "compiler/link/runtime_lookup.h"

#include "compiler/instrument/access_sites.h"
#include "compiler/link/merged_symbols.h"
#include "lbhm/instrumentation.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {

using namespace llvm;

BasicBlock* SymbolSearch::block(const char* name) { return BasicBlock::Create(function.getContext(), name, &function); }

void SymbolSearch::go_on_if(Value* condition, BasicBlock* otherwise) {
  BasicBlock* next = block("next");
  builder.CreateCondBr(condition, next, otherwise);
  builder.SetInsertPoint(next);
}

/// Weak, so that a static program links without it.
void SymbolSearch::find_dlsym(BasicBlock* otherwise) {
  PointerType* pointer = builder.getPtrTy();
  auto* type = FunctionType::get(pointer, {pointer, pointer}, false);
  dlsym = dyn_cast<Function>(function.getParent()->getOrInsertFunction("dlsym", type).getCallee());
  if (dlsym && dlsym->isDeclaration()) dlsym->setLinkage(GlobalValue::ExternalWeakLinkage);
  go_on_if(dlsym ? builder.CreateIsNotNull(dlsym) : builder.getFalse(), otherwise);
}

Value* SymbolSearch::symbol(const char* name) {
  Value* null = ConstantPointerNull::get(builder.getPtrTy());
  if (!dlsym) return null;
  return builder.CreateCall(dlsym->getFunctionType(), dlsym, {null, builder.CreateGlobalString(name)});
}

LookupWriter::LookupWriter(MergedSymbols& with, const char* name)
    : merged(with),
      builder(with.builder),
      function(merged.function(name, {})),
      search(builder, *function),
      done(search.block("done")) {}

void LookupWriter::give_section(Value* taker, const char* section, const char* given, ArrayRef<Value*> more) {
  GlobalVariable* remembers = merged.variable(builder.getInt8Ty(), given);
  Constant* first = section_first(merged.module, section);
  Constant* last = section_last(merged.module, section);
  search.go_on_if(builder.CreateIsNotNull(taker), done);
  search.go_on_if(builder.CreateICmpNE(first, last), done);
  search.go_on_if(builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), remembers)), done);
  builder.CreateStore(builder.getInt8(1), remembers);
  SmallVector<Value*, 4> arguments{first, last};
  arguments.append(more.begin(), more.end());
  SmallVector<Type*, 4> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  builder.CreateCall(FunctionType::get(builder.getVoidTy(), types, false), taker, arguments);
}

Function* LookupWriter::finish() {
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  appendToGlobalCtors(merged.module, function, 0, function);
  return function;
}

Function* write_runtime_lookup(MergedSymbols& merged, const Entrances& entrances, Function* sink_refill) {
  LookupWriter writer(merged, "lookup");
  IRBuilder<>& builder = merged.builder;
  // First of all: dlsym may allocate, and the program's own malloc may be instrumented.
  merged.write_to(entrances.refill, sink_refill);
  writer.begin_look_up();
  merged.write_to(entrances.range, writer.symbol(LBHM_EMU_RANGE_NAME));
  merged.write_to(entrances.order, writer.symbol(LBHM_EMU_ORDER_NAME));
  merged.write_to(entrances.order_end, writer.symbol(LBHM_EMU_ORDER_END_NAME));
  Value* refill = writer.symbol(LBHM_EMU_REFILL_NAME);
  merged.write_to(entrances.refill, builder.CreateSelect(builder.CreateIsNull(refill), sink_refill, refill));
  writer.give_section(writer.symbol(LBHM_EMU_MODULE_NAME), site_section, "sites_given", {});
  return writer.finish();
}

}  // namespace lbhm::compiler
