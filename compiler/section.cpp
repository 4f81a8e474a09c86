#include "compiler/section.h"

#include "compiler/module_symbols.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Weak: a file without any part has no such symbol. Hidden: each shared library has its own.
Constant* border(Module& module, const Twine& of) {
  std::string name = of.str();
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  auto* symbol = new GlobalVariable(module, Type::getInt32Ty(module.getContext()), true,
                                    GlobalValue::ExternalWeakLinkage, nullptr, name);
  symbol->setVisibility(GlobalValue::HiddenVisibility);
  return symbol;
}

}  // namespace

void add_to_section(Module& module, const char* section, Constant* part, Align alignment, const char* name) {
  auto* global =
      new GlobalVariable(module, part->getType(), true, GlobalValue::InternalLinkage, part, Twine(own_prefix) + name);
  global->setSection(section);
  global->setAlignment(alignment);
  appendToUsed(module, {global});
}

Constant* section_first(Module& module, const char* section) { return border(module, Twine("__start_") + section); }
Constant* section_last(Module& module, const char* section) { return border(module, Twine("__stop_") + section); }

}  // namespace lbhm::compiler
