#include "compiler/patterns/trace.h"

#include <cstdlib>

#include "compiler/functions.h"
#include "lbhm/compiled_patterns.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

class Tracer {
 public:
  Tracer(Module& module, std::uint64_t with_id) : id(with_id) {
    Type* nothing = Type::getVoidTy(module.getContext());
    Type* word = Type::getInt64Ty(module.getContext());
    Type* pointer = PointerType::getUnqual(module.getContext());
    access = module.getOrInsertFunction(LBHM_TRACE_NAME, nothing, word, pointer);
    begin = module.getOrInsertFunction(LBHM_TRACE_BEGIN_NAME, nothing, word);
  }

  void trace(Instruction& instruction, Value* pointer, std::uint64_t position) {
    if (pointer->getType()->isVectorTy()) return;
    IRBuilder<> builder(&instruction);
    builder.CreateCall(access, {number(builder, position), pointer});
  }

  /// What stands in no loop begins anew each time.
  void trace_begin(const AccessText& of, std::uint64_t position) {
    if (!of.moves_in) {
      IRBuilder<> builder(of.instruction);
      builder.CreateCall(begin, {number(builder, position)});
      return;
    }
    for (BasicBlock* before : predecessors(of.moves_in->getHeader())) {
      if (of.moves_in->contains(before)) continue;
      IRBuilder<> builder(before->getTerminator());
      builder.CreateCall(begin, {number(builder, position)});
    }
  }

 private:
  Value* number(IRBuilder<>& builder, std::uint64_t position) const {
    return builder.getInt64(id << LBHM_BASE_BITS | position);
  }

  std::uint64_t id;
  FunctionCallee access, begin;
};

}  // namespace

bool is_tracing() {
  const char* wanted = std::getenv("LBHM_PLUGIN_TRACE");
  return wanted && StringRef(wanted) == "1";
}

void add_trace(Module& module, const std::vector<NestPatterns>& nests, std::uint64_t id,
               FunctionAnalysisManager& manager) {
  SmallPtrSet<const Instruction*, 32> known;
  for (const NestPatterns& nest : nests) {
    for (const AccessText& access : nest.accesses) known.insert(access.instruction);
  }
  std::vector<Access> others;
  for (Function* function : functions_to_instrument(module)) {
    const auto& library = manager.getResult<TargetLibraryAnalysis>(*function);
    for (BasicBlock& block : *function) {
      for (Instruction& instruction : block) {
        if (known.contains(&instruction)) continue;
        for (const Access& access : find_accesses(instruction, library).seen) others.push_back(access);
      }
    }
  }
  Tracer tracer(module, id);
  std::uint64_t position = 0;
  for (const NestPatterns& nest : nests) {
    for (const AccessText& access : nest.accesses) {
      tracer.trace_begin(access, position);
      tracer.trace(*access.instruction, access.pointer, position);
      ++position;
    }
  }
  for (const Access& access : others) tracer.trace(*access.instruction, access.pointer, LBHM_NO_PATTERN);
}

}  // namespace lbhm::compiler
