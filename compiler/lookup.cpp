#include "compiler/lookup.h"

#include "compiler/site_table.h"
#include "lbhm/instrumentation.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

class LookupWriter {
 public:
  LookupWriter(Hidden& with, const Entrances& known) : hidden(with), builder(with.builder), entrances(known) {}

  Function* write(Function* sink_refill) {
    GlobalVariable* given = hidden.variable(builder.getInt8Ty(), "sites_given");
    lookup = hidden.function("lookup", {});
    // First of all: dlsym may allocate, and the program's own malloc may be instrumented.
    hidden.write_to(entrances.refill, sink_refill);
    Value* there = find_dlsym();
    BasicBlock* done = block("done");
    go_on_if(there, done);
    hidden.write_to(entrances.range, symbol(LBHM_EMU_RANGE_NAME));
    hidden.write_to(entrances.order, symbol(LBHM_EMU_ORDER_NAME));
    hidden.write_to(entrances.order_end, symbol(LBHM_EMU_ORDER_END_NAME));
    Value* refill = symbol(LBHM_EMU_REFILL_NAME);
    hidden.write_to(entrances.refill, builder.CreateSelect(builder.CreateIsNull(refill), sink_refill, refill));
    give_sites(symbol(LBHM_EMU_MODULE_NAME), given, done);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    appendToGlobalCtors(hidden.module, lookup, 0, lookup);
    return lookup;
  }

 private:
  BasicBlock* block(const char* name) { return BasicBlock::Create(hidden.module.getContext(), name, lookup); }

  void go_on_if(Value* condition, BasicBlock* otherwise) {
    BasicBlock* next = block("next");
    builder.CreateCondBr(condition, next, otherwise);
    builder.SetInsertPoint(next);
  }

  /// Weak: a static program has no dlsym, and then nobody to find with it.
  Value* find_dlsym() {
    auto* type = FunctionType::get(hidden.pointer, {hidden.pointer, hidden.pointer}, false);
    dlsym = dyn_cast<Function>(hidden.module.getOrInsertFunction("dlsym", type).getCallee());
    if (!dlsym) return builder.getFalse();
    if (dlsym->isDeclaration()) dlsym->setLinkage(GlobalValue::ExternalWeakLinkage);
    return builder.CreateIsNotNull(dlsym);
  }

  Value* symbol(const char* name) {
    Value* null = ConstantPointerNull::get(hidden.pointer);
    if (!dlsym) return null;
    return builder.CreateCall(dlsym->getFunctionType(), dlsym, {null, builder.CreateGlobalString(name)});
  }

  /// Once, even if this function runs again as a constructor.
  void give_sites(Value* taker, GlobalVariable* given, BasicBlock* done) {
    Constant* first = site_table_first(hidden.module);
    Constant* last = site_table_last(hidden.module);
    go_on_if(builder.CreateIsNotNull(taker), done);
    go_on_if(builder.CreateICmpNE(first, last), done);
    go_on_if(builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), given)), done);
    builder.CreateStore(builder.getInt8(1), given);
    auto* type = FunctionType::get(builder.getVoidTy(), {hidden.pointer, hidden.pointer}, false);
    builder.CreateCall(type, taker, {first, last});
  }

  Hidden& hidden;
  IRBuilder<>& builder;
  const Entrances& entrances;
  Function* lookup = nullptr;
  Function* dlsym = nullptr;
};

}  // namespace

Function* write_lookup(Hidden& hidden, const Entrances& entrances, Function* sink_refill) {
  return LookupWriter(hidden, entrances).write(sink_refill);
}

}  // namespace lbhm::compiler
