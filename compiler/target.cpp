#include "compiler/target.h"

#include <cstdlib>

#include "compiler/module_symbols.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

namespace lbhm::compiler {

using namespace llvm;

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
  function = Function::Create(type, GlobalValue::ExternalLinkage, Twine(own_prefix) + "reference", module);
  if (Triple(module.getTargetTriple()).isX86()) function->addFnAttr("target-cpu", "skylake-avx512");
}

}  // namespace lbhm::compiler
