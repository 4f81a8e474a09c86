// Entry point of liblbhm-patterns.so: what the compiler knows of a program, for real machines. Nothing is emulated.
#include "compiler/blocks/block_pass.h"
#include "compiler/shared_passes.h"
#include "llvm/Passes/PassPlugin.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

void register_passes(PassBuilder& builder) {
  register_shared_passes(builder);
  register_block_counting(builder);
}

}  // namespace
}  // namespace lbhm::compiler

// Not in the header of the pass plugin's interface as visible: our own code is built with hidden symbols.
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "lbhm-patterns", LBHM_VERSION, lbhm::compiler::register_passes};
}
