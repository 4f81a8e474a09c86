#include "compiler/patterns/copies.h"

#include "compiler/patterns/frequency.h"
#include "compiler/patterns/writes.h"

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
  text.pattern = {.kind = PatternKind::stream, .element = Bytes{1}, .stride = 1, .write = access.write};
  text.type = "bytes";
  return text;
}

bool is_range(const Access& access) { return access.shape == Shape::range; }

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

}  // namespace lbhm::compiler
