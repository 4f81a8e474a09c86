#include "compiler/blocks/block_plan.h"

#include <algorithm>
#include <limits>

#include "compiler/instrument/accesses.h"
#include "compiler/instrument/added_code.h"
#include "lbhm/block_counts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Counters of one nest in registers. Assumption: of 16 general registers a loop leaves so many; with more, adding to
/// memory costs no more than spilling.
constexpr std::size_t most_registers = 6;

class BlockPlanner {
 public:
  BlockPlanner(Function& of, const TargetTransformInfo& reference, FunctionAnalysisManager& analyses)
      : library(analyses.getResult<TargetLibraryAnalysis>(of)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(of)),
        shape(of, analyses.getResult<LoopAnalysis>(of), analyses.getResult<DominatorTreeAnalysis>(of),
              analyses.getResult<PostDominatorTreeAnalysis>(of)),
        target(analyses.getResult<TargetIRAnalysis>(of)),
        model({target, reference, library, shape.loops, analyses.getResult<DominatorTreeAnalysis>(of), evolution}) {
    plan.expander = std::make_unique<SCEVExpander>(evolution, of.getDataLayout(), "lbhm.trips", false);
  }

  BlockPlan make() {
    const TripFinder writer(shape, evolution, target, *plan.expander);
    for (const PieceClass& pieces : shape.classes()) {
      BlockCounter counter{.facts = facts_of(pieces, model, library), .leader = pieces.pieces.front(), .trips = {}};
      const bool entry = pieces.leader().isEntryBlock() && !counter.leader.from;
      if (counter.facts.instructions == 0 && !entry) continue;  // only passed through
      if (entry) counter.facts.flags |= LBHM_BLOCK_ENTRY;
      if (!counter.leader.from) look_at_loops(counter, writer);
      plan.counters.push_back(counter);
    }
    limit_registers();
    return std::move(plan);
  }

 private:
  void look_at_loops(BlockCounter& counter, const TripFinder& writer) {
    if (const auto constant = writer.constant_per_call(*counter.leader.block)) {
      counter.facts.per_call = *constant;
      counter.facts.flags |= LBHM_BLOCK_INPUT_INDEPENDENT;
    }
    counter.trips = writer.trips_of(*counter.leader.block);
    counter.nest = nest_of(counter.trips ? *counter.trips->preheader : *counter.leader.block);
  }

  /// The outermost loop around the block that only its exits leave.
  const Loop* nest_of(const BasicBlock& block) const {
    const Loop* nest = nullptr;
    for (const Loop* loop = shape.loops.getLoopFor(&block); loop && shape.is_closed(*loop);
         loop = loop->getParentLoop())
      nest = loop;
    return nest && !nest->hasNoExitBlocks() ? nest : nullptr;
  }

  unsigned depth_of_counting(const BlockCounter& counter) const {
    return shape.loops.getLoopDepth(counter.trips ? counter.trips->preheader : counter.leader.block);
  }

  /// The deepest ones keep their registers.
  void limit_registers() {
    MapVector<const Loop*, std::vector<BlockCounter*>> by_nest;
    for (BlockCounter& counter : plan.counters) {
      if (counter.nest) by_nest[counter.nest].push_back(&counter);
    }
    for (auto& [nest, held] : by_nest) {
      if (held.size() <= most_registers) continue;
      // All lie in one vector: equally deep ones stay in its order.
      sort(held, [&](const BlockCounter* one, const BlockCounter* other) {
        return std::pair(depth_of_counting(*other), one) < std::pair(depth_of_counting(*one), other);
      });
      for (BlockCounter* counter : ArrayRef(held).drop_front(most_registers)) counter->nest = nullptr;
    }
  }

  const TargetLibraryInfo& library;
  ScalarEvolution& evolution;
  FunctionShape shape;
  const TargetTransformInfo& target;
  CostModel model;
  BlockPlan plan;
};

std::uint32_t narrow(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

/// Bytes of one access; of masked ones as if all elements were on.
std::uint64_t bytes_of(const Access& access) {
  if (access.shape == Shape::range) {
    const auto* size = dyn_cast<ConstantInt>(access.size);
    return size ? size->getZExtValue() : 0;
  }
  if (access.shape == Shape::plain) return access.bytes;
  const Instruction& instruction = *access.instruction;
  Type* type = access.write ? instruction.getOperand(0)->getType() : instruction.getType();
  return instruction.getDataLayout().getTypeStoreSize(type).getKnownMinValue();
}

/// The line in the function's own source of what may have been inlined into it; 0: none.
std::uint32_t line_of(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc();
  while (location && location->getInlinedAt()) location = location->getInlinedAt();
  return location ? location->getLine() : 0;
}

void add_line(StaticBlockFacts& facts, std::uint32_t line) {
  if (line == 0) return;
  facts.first_line = facts.first_line == 0 ? line : std::min(facts.first_line, line);
  facts.last_line = std::max(facts.last_line, line);
}

}  // namespace

BlockPlan plan_blocks(Function& function, const TargetTransformInfo& reference, FunctionAnalysisManager& analyses) {
  return BlockPlanner(function, reference, analyses).make();
}

StaticBlockFacts facts_of(const PieceClass& pieces, const CostModel& model, const TargetLibraryInfo& library) {
  StaticBlockFacts facts;
  BlockCost cost;
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces.pieces) {
    Instruction* first = piece.from ? piece.from : &piece.block->front();
    for (Instruction* each = first; each != piece.end; each = each->getNextNode()) {
      if (is_added(*each)) continue;
      cost += model.cost(*each);
      for (const Access& access : find_accesses(*each, library).seen) bytes += bytes_of(access);
      add_line(facts, line_of(*each));
    }
  }
  facts.instructions = narrow(cost.instructions);
  facts.slots = narrow(cost.slots());
  facts.bytes = narrow(bytes);
  facts.depth = model.loops().getLoopDepth(&pieces.leader());
  return facts;
}

}  // namespace lbhm::compiler
