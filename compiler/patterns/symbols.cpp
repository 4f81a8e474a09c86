#include "compiler/patterns/symbols.h"

#include "compiler/finder.h"
#include "compiler/module_symbols.h"
#include "lbhm/compiled_patterns.h"

namespace lbhm::compiler {

using namespace llvm;

PatternSymbols pattern_symbols(Module& module) {
  if (Function* note = module.getFunction((Twine(own_prefix) + "note").str()))
    return {.noting = module.getNamedGlobal((Twine(own_prefix) + "noting").str()), .note = note};
  Hidden hidden(module);
  GlobalVariable* noting = hidden.variable(hidden.builder.getInt8Ty(), "noting");
  GlobalVariable* entrance = hidden.variable(hidden.pointer, "note_pointer");
  Function* note = hidden.forwarder("note", {hidden.word, hidden.pointer}, entrance);
  note->addFnAttr(Attribute::Cold);
  FinderWriter finder(hidden, "patterns_lookup");
  finder.begin_look_up();
  hidden.write_to(entrance, finder.symbol(LBHM_NOTE_NAME));
  finder.give_section(finder.symbol(LBHM_PATTERNS_NAME), LBHM_PATTERNS_SECTION, "patterns_given", {noting});
  finder.finish();
  return {.noting = noting, .note = note};
}

}  // namespace lbhm::compiler
