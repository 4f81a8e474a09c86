#include "compiler/instrument/targets.h"

#include <cstdlib>

#include "compiler/link/buffer_symbols.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// Marks a function as done: with -flto the plugin may see it twice.
constexpr const char* done_mark = "lbhm-instrumented";

/// Those with the opt-out annotation, and resolvers: they run before thread-locals exist.
SmallPtrSet<const Function*, 8> excluded(const Module& module) {
  SmallPtrSet<const Function*, 8> found;
  for (const GlobalIFunc& indirect : module.ifuncs()) found.insert(indirect.getResolverFunction());
  const auto* annotations = module.getNamedGlobal("llvm.global.annotations");
  if (!annotations || !annotations->hasInitializer()) return found;
  for (const Use& item : annotations->getInitializer()->operands()) {
    const auto* fields = cast<ConstantStruct>(item);
    const auto* text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    const auto* words =
        text && text->hasInitializer() ? dyn_cast<ConstantDataSequential>(text->getInitializer()) : nullptr;
    const auto* function = dyn_cast<Function>(fields->getOperand(0)->stripPointerCasts());
    if (function && words && words->isCString() && words->getAsCString() == opt_out) found.insert(function);
  }
  return found;
}

bool is_suitable(const Function& function) {
  if (function.isDeclaration() || function.hasAvailableExternallyLinkage() ||
      function.getName().starts_with(any_plugin_prefix))
    return false;
  if (function.hasFnAttribute(Attribute::Naked) ||
      function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) || function.hasFnAttribute(done_mark))
    return false;
  if (function.isPresplitCoroutine() || function.getCallingConv() == CallingConv::X86_INTR) return false;
  // Landing pads only: the funclets of Windows need another kind of reload.
  return !any_of(function, [](const BasicBlock& block) { return block.isEHPad() && !block.isLandingPad(); });
}

}  // namespace

bool is_supported(const Module& module) {
  Triple triple(module.getTargetTriple());
  return triple.isOSBinFormatELF() && triple.isArch64Bit() && triple.isLittleEndian() &&
         (triple.isX86() || triple.isAArch64());
}

void explain_unsupported(const Module& module) {
  Triple triple(module.getTargetTriple());
  if (triple.isNVPTX() || triple.isAMDGPU()) return;
  errs() << "lbhm-plugin: " << module.getSourceFileName() << " is compiled for " << triple.str()
         << ", which is not instrumented; only 64-bit x86 and Arm with ELF files are\n";
}

void verify(const Module& module) {
  const char* wanted = std::getenv("LBHM_PLUGIN_VERIFY");
  if (!wanted || StringRef(wanted) == "0") return;
  if (verifyModule(module, &errs()))
    report_fatal_error("lbhm-plugin made an invalid module; please report the source file");
}

ReferenceFunction::ReferenceFunction(Module& module) {
  auto* type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  function = Function::Create(type, GlobalValue::ExternalLinkage, Twine(plugin_prefix) + "reference", module);
  if (Triple(module.getTargetTriple()).isX86()) function->addFnAttr("target-cpu", "skylake-avx512");
}

SmallVector<Function*, 32> functions_to_instrument(Module& module) {
  auto out = excluded(module);
  SmallVector<Function*, 32> chosen;
  for (Function& function : module) {
    if (is_suitable(function) && !out.contains(&function)) chosen.push_back(&function);
  }
  return chosen;
}

void remove_promises(Function& function, ArrayRef<CallBase*> calls) {
  auto without = [](auto& of) {
    for (Attribute::AttrKind promise :
         {Attribute::Memory, Attribute::NoSync, Attribute::NoFree, Attribute::Speculatable})
      of.removeFnAttr(promise);
  };
  without(function);
  function.addFnAttr(done_mark);
  for (CallBase* call : calls) {
    if (isa<IntrinsicInst>(call)) continue;
    without(*call);
    if (Function* callee = call->getCalledFunction()) without(*callee);
  }
}

}  // namespace lbhm::compiler
