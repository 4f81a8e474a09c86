#include "compiler/target.h"

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

}  // namespace lbhm::compiler
