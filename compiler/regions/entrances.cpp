#include "compiler/regions/entrances.h"

#include "compiler/finder.h"
#include "compiler/module_symbols.h"
#include "lbhm/code_regions.h"
#include "llvm/IR/InstrTypes.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

constexpr const char* marker_prefix = "region_";

/// Hands on to where `pointer` leads.
Function* entrance(Hidden& hidden, const char* name, GlobalVariable* pointer) {
  return hidden.forwarder(name, {hidden.pointer, hidden.pointer}, pointer);
}

}  // namespace

RegionEntrances add_region_entrances(Module& module) {
  Hidden hidden(module);
  GlobalVariable* begin = hidden.variable(hidden.pointer, "region_begin_pointer");
  GlobalVariable* end = hidden.variable(hidden.pointer, "region_end_pointer");
  GlobalVariable* unwound = hidden.variable(hidden.pointer, "region_unwound_pointer");
  FinderWriter finder(hidden, "regions_lookup");
  finder.begin_look_up();
  hidden.write_to(begin, finder.symbol(LBHM_REGION_BEGIN_NAME));
  hidden.write_to(end, finder.symbol(LBHM_REGION_END_NAME));
  hidden.write_to(unwound, finder.symbol(LBHM_REGION_UNWOUND_NAME));
  finder.give_section(finder.symbol(LBHM_REGIONS_NAME), LBHM_REGIONS_SECTION, "regions_given", {});
  finder.finish();
  return {entrance(hidden, "region_begin", begin), entrance(hidden, "region_end", end),
          entrance(hidden, "region_unwound", unwound)};
}

bool is_region_marker(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* called = call ? call->getCalledFunction() : nullptr;
  StringRef name = called ? called->getName() : "";
  return name.consume_front(own_prefix) && name.starts_with(marker_prefix);
}

}  // namespace lbhm::compiler
