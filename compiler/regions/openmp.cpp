#include "compiler/regions/openmp.h"

#include "llvm/IR/InstrTypes.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

StringRef called(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : "";
}

}  // namespace

bool is_parallel_body(const Function& function) {
  return any_of(function.users(), [&](const User* user) {
    const auto* call = dyn_cast<CallBase>(user);
    return call && called(*call).starts_with("__kmpc_fork_call") && call->hasArgument(&function);
  });
}

bool is_worksharing(const Loop& loop, const DominatorTree& dominators) {
  for (const BasicBlock* block : loop.blocks()) {
    if (any_of(*block, [](const Instruction& i) { return called(i).starts_with("__kmpc_dispatch_next"); })) return true;
  }
  // A static schedule: between the calls of init and fini. The last of them on every way to the loop decides.
  const DomTreeNode* node = dominators.getNode(loop.getHeader());
  for (node = node ? node->getIDom() : nullptr; node; node = node->getIDom()) {
    for (const Instruction& instruction : reverse(*node->getBlock())) {
      StringRef name = called(instruction);
      if (name.starts_with("__kmpc_for_static_init") || name.starts_with("__kmpc_dist_for_static_init")) return true;
      if (name.starts_with("__kmpc_for_static_fini")) return false;
    }
  }
  return false;
}

}  // namespace lbhm::compiler
