#include "compiler/site_table.h"

#include "compiler/module_symbols.h"
#include "lbhm/instrumentation.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

static_assert(sizeof(SiteRecord) == sizeof(lbhm_emu_site));

/// A name that is valid in C: for such sections linkers define __start_ and __stop_ symbols.
constexpr const char* section = "lbhm_sites";

/// Weak: a file without any record has no such symbol. Hidden: each shared library has its own.
Constant* border(Module& module, const char* prefix) {
  std::string name = std::string(prefix) + section;
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  auto* symbol = new GlobalVariable(module, Type::getInt32Ty(module.getContext()), true,
                                    GlobalValue::ExternalWeakLinkage, nullptr, name);
  symbol->setVisibility(GlobalValue::HiddenVisibility);
  return symbol;
}

}  // namespace

std::uint32_t site_number(const Function& function, unsigned index) {
  std::uint64_t hash = xxh3_64bits((function.getName() + "#" + Twine(index)).str());
  return static_cast<std::uint32_t>(hash % (LBHM_EMU_SITES - 1)) + 1;
}

void add_site_table(Module& module, const std::vector<SiteRecord>& records) {
  if (records.empty()) return;
  std::vector<std::uint32_t> words;
  for (const SiteRecord& record : records) {
    words.insert(words.end(), {record.number, record.address_from, record.flags});
  }
  Constant* table = ConstantDataArray::get(module.getContext(), words);
  auto* global = new GlobalVariable(module, table->getType(), true, GlobalValue::InternalLinkage, table,
                                    Twine(own_prefix) + "sites");
  global->setSection(section);
  global->setAlignment(Align(4));
  appendToUsed(module, {global});
}

Constant* site_table_first(Module& module) { return border(module, "__start_"); }
Constant* site_table_last(Module& module) { return border(module, "__stop_"); }

}  // namespace lbhm::compiler
