#include "compiler/regions/entrances.h"

#include "compiler/hidden.h"
#include "lbhm/code_regions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// First record and one behind the last, of all modules of the linked file: the linker defines these symbols.
Constant* border(Module& module, const char* prefix) {
  auto* symbol = new GlobalVariable(module, Type::getInt8Ty(module.getContext()), true,
                                    GlobalValue::ExternalWeakLinkage, nullptr, Twine(prefix) + LBHM_REGIONS_SECTION);
  symbol->setVisibility(GlobalValue::HiddenVisibility);
  return symbol;
}

/// The constructor. One in the linked file, so that the records are handed over once.
class LookupWriter {
 public:
  LookupWriter(Hidden& with, GlobalVariable* first_use) : hidden(with), builder(with.builder), given(first_use) {}

  void write(std::initializer_list<std::pair<GlobalVariable*, const char*>> wanted) {
    Function* lookup = hidden.function("regions_lookup", {});
    auto block = [&](const char* name) { return BasicBlock::Create(hidden.module.getContext(), name, lookup); };
    BasicBlock *search = block("search"), *give = block("give"), *done = block("done");
    builder.CreateCondBr(builder.CreateAnd(find_dlsym(), builder.CreateIsNull(hidden.read(given))), search, done);
    builder.SetInsertPoint(search);
    for (auto [where, name] : wanted) hidden.write_to(where, symbol(name));
    Value* taker = symbol(LBHM_REGIONS_NAME);
    hidden.write_to(given, taker);
    builder.CreateCondBr(builder.CreateIsNotNull(taker), give, done);
    builder.SetInsertPoint(give);
    auto* type = FunctionType::get(builder.getVoidTy(), {hidden.pointer, hidden.pointer}, false);
    builder.CreateCall(type, taker, {border(hidden.module, "__start_"), border(hidden.module, "__stop_")});
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    appendToGlobalCtors(hidden.module, lookup, 0, lookup);
  }

 private:
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

  Hidden& hidden;
  IRBuilder<>& builder;
  GlobalVariable* given;
  Function* dlsym = nullptr;
};

}  // namespace

RegionEntrances add_region_entrances(Module& module) {
  Hidden hidden(module);
  auto target = [&](const char* name) { return hidden.variable(hidden.pointer, name); };
  GlobalVariable* begin = target("region_begin_pointer");
  GlobalVariable* end = target("region_end_pointer");
  GlobalVariable* unwound = target("region_unwound_pointer");
  LookupWriter(hidden, target("regions_given"))
      .write({{begin, LBHM_REGION_BEGIN_NAME}, {end, LBHM_REGION_END_NAME}, {unwound, LBHM_REGION_UNWOUND_NAME}});
  auto forwarder = [&](const char* name, GlobalVariable* to) {
    return hidden.forwarder(name, {hidden.pointer, hidden.pointer}, to);
  };
  return {forwarder("region_begin", begin), forwarder("region_end", end), forwarder("region_unwound", unwound)};
}

}  // namespace lbhm::compiler
