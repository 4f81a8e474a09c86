#include "compiler/patterns/find_patterns.h"

#include <cstdlib>

#include "compiler/instrument/targets.h"
#include "compiler/link/merged_symbols.h"
#include "compiler/patterns/base_notes.h"
#include "compiler/patterns/compiled_text.h"
#include "compiler/patterns/nest_patterns.h"
#include "compiler/patterns/resolver.h"
#include "lbhm/compiled_patterns.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

std::size_t find_base(NestPatterns& copy, const Access& access, const Names& names) {
  const Value* value = base_value(access.pointer);
  auto known = find_if(copy.bases, [&](const Base& base) { return base.value == value; });
  if (known != copy.bases.end()) return static_cast<std::size_t>(known - copy.bases.begin());
  Base base{.value = value, .loop = nullptr, .named = names.of(*value), .places = {}};
  if (!isa<UndefValue, ConstantPointerNull>(value))
    base.places.push_back({access.instruction, {.root = const_cast<Value*>(value), .offsets = {}}});
  copy.bases.push_back(std::move(base));
  return copy.bases.size() - 1;
}

AccessText describe(const Access& access, std::size_t base) {
  AccessText text{};
  text.instruction = access.instruction;
  text.pointer = access.pointer;
  text.base = base;
  text.line = line_of(*access.instruction);
  text.pattern = {.kind = PatternKind::stream, .element = 1, .stride = 1, .write = access.write};
  text.type = "bytes";
  return text;
}

bool is_range(const Access& access) { return access.shape == Shape::range; }

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

void read_function(Function& function, FunctionAnalysisManager& manager, std::vector<NestPatterns>& nests) {
  auto& loops = manager.getResult<LoopAnalysis>(function);
  if (function.hasOptNone()) return;
  StandIns stand_ins;
  find_copies(function, stand_ins, manager, nests);
  if (loops.empty()) return;
  auto& library = manager.getResult<TargetLibraryAnalysis>(function);
  auto& dominators = manager.getResult<DominatorTreeAnalysis>(function);
  // Of our own: nobody else is to see the stand-ins.
  ScalarEvolution evolution(function, library, manager.getResult<AssumptionAnalysis>(function), dominators, loops);
  auto& frequencies = manager.getResult<BlockFrequencyAnalysis>(function);
  for (const Loop* loop : reverse(loops)) {
    Nest nest{function, *loop, loops, dominators, library, evolution};
    if (auto found = find_patterns(nest, stand_ins, frequencies)) nests.push_back(std::move(*found));
  }
}

void place_notes(const std::vector<NestPatterns>& nests, std::uint64_t id) {
  unsigned number = 0;
  for (const NestPatterns& nest : nests) {
    for (const Base& base : nest.bases) {
      for (const NotePlace& place : base.places) place_note(*place.before, id, number, place.path);
      ++number;
    }
  }
}

}  // namespace

void find_copies(Function& function, const StandIns& stand_ins, FunctionAnalysisManager& manager,
                 std::vector<NestPatterns>& nests) {
  auto& loops = manager.getResult<LoopAnalysis>(function);
  auto& library = manager.getResult<TargetLibraryAnalysis>(function);
  const Names names(function, loops, stand_ins);
  for (BasicBlock& block : function) {
    if (loops.getLoopFor(&block)) continue;
    for (Instruction& instruction : block) {
      const Accesses accesses = find_accesses(instruction, library);
      if (none_of(accesses.seen, is_range)) continue;
      NestPatterns copy{.function = &function, .line = line_of(instruction), .loops = {}, .bases = {}, .accesses = {}};
      const double times = frequency_of(instruction, manager.getResult<BlockFrequencyAnalysis>(function));
      for (const Access& access : make_filter_range(accesses.seen, is_range)) {
        copy.accesses.push_back(describe(access, find_base(copy, access, names)));
        copy.accesses.back().frequency = times;
      }
      for (Base& base : copy.bases) base.frequency = base.places.empty() ? 0 : times;
      nests.push_back(std::move(copy));
    }
  }
}

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

PreservedAnalyses FindPatterns::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!is_supported(module)) return PreservedAnalyses::all();
  auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::vector<NestPatterns> nests;
  for (Function* function : functions_to_instrument(module)) read_function(*function, manager, nests);
  if (nests.empty()) return PreservedAnalyses::all();
  ModuleText text = module_text(module, nests);
  if (is_tracing()) add_trace(module, nests, text.id, manager);
  place_notes(nests, text.id);
  pattern_symbols(module);
  add_to_section(module, LBHM_PATTERNS_SECTION, ConstantDataArray::getString(module.getContext(), text.text), Align(1),
                 "patterns");
  return PreservedAnalyses::none();
}

}  // namespace lbhm::compiler
