#include "compiler/lookup.h"

#include "compiler/finder.h"
#include "compiler/site_table.h"
#include "lbhm/instrumentation.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Once, even if the look-up runs again as a constructor.
void give_sites(Hidden& hidden, Finder& finder, GlobalVariable* given, BasicBlock* done) {
  IRBuilder<>& builder = hidden.builder;
  Value* taker = finder.symbol(LBHM_EMU_MODULE_NAME);
  Constant* first = site_table_first(hidden.module);
  Constant* last = site_table_last(hidden.module);
  finder.go_on_if(builder.CreateIsNotNull(taker), done);
  finder.go_on_if(builder.CreateICmpNE(first, last), done);
  finder.go_on_if(builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), given)), done);
  builder.CreateStore(builder.getInt8(1), given);
  auto* type = FunctionType::get(builder.getVoidTy(), {hidden.pointer, hidden.pointer}, false);
  builder.CreateCall(type, taker, {first, last});
}

}  // namespace

Function* write_lookup(Hidden& hidden, const Entrances& entrances, Function* sink_refill) {
  IRBuilder<>& builder = hidden.builder;
  GlobalVariable* given = hidden.variable(builder.getInt8Ty(), "sites_given");
  Function* lookup = hidden.function("lookup", {});
  Finder finder(builder, *lookup);
  // First of all: dlsym may allocate, and the program's own malloc may be instrumented.
  hidden.write_to(entrances.refill, sink_refill);
  BasicBlock* done = finder.block("done");
  finder.find_dlsym(done);
  hidden.write_to(entrances.range, finder.symbol(LBHM_EMU_RANGE_NAME));
  hidden.write_to(entrances.order, finder.symbol(LBHM_EMU_ORDER_NAME));
  hidden.write_to(entrances.order_end, finder.symbol(LBHM_EMU_ORDER_END_NAME));
  Value* refill = finder.symbol(LBHM_EMU_REFILL_NAME);
  hidden.write_to(entrances.refill, builder.CreateSelect(builder.CreateIsNull(refill), sink_refill, refill));
  give_sites(hidden, finder, given, done);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  appendToGlobalCtors(hidden.module, lookup, 0, lookup);
  return lookup;
}

}  // namespace lbhm::compiler
