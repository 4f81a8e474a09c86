#include "compiler/lookup.h"

#include "compiler/finder.h"
#include "compiler/site_table.h"
#include "lbhm/instrumentation.h"

namespace lbhm::compiler {

using namespace llvm;

Function* write_lookup(Hidden& hidden, const Entrances& entrances, Function* sink_refill) {
  FinderWriter finder(hidden, "lookup");
  IRBuilder<>& builder = hidden.builder;
  // First of all: dlsym may allocate, and the program's own malloc may be instrumented.
  hidden.write_to(entrances.refill, sink_refill);
  finder.begin_look_up();
  hidden.write_to(entrances.range, finder.symbol(LBHM_EMU_RANGE_NAME));
  hidden.write_to(entrances.order, finder.symbol(LBHM_EMU_ORDER_NAME));
  hidden.write_to(entrances.order_end, finder.symbol(LBHM_EMU_ORDER_END_NAME));
  Value* refill = finder.symbol(LBHM_EMU_REFILL_NAME);
  hidden.write_to(entrances.refill, builder.CreateSelect(builder.CreateIsNull(refill), sink_refill, refill));
  finder.give_section(finder.symbol(LBHM_EMU_MODULE_NAME), site_section, "sites_given", {});
  return finder.finish();
}

}  // namespace lbhm::compiler
