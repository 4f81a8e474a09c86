#include "compiler/blocks/block_plan.h"

#include "compiler/blocks/block_facts.h"
#include "lbhm/block_counts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

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
    const TripFinder finder(shape, evolution, target, *plan.expander);
    for (const PieceClass& pieces : shape.classes()) {
      BlockCounter counter{.facts = facts_of(pieces, model, library), .leader = pieces.pieces.front(), .trips = {}};
      const bool entry = pieces.leader().isEntryBlock() && !counter.leader.from;
      if (counter.facts.instructions == 0 && !entry) continue;  // only passed through
      if (entry) counter.facts.flags |= LBHM_BLOCK_ENTRY;
      if (!counter.leader.from) look_at_loops(counter, finder);
      plan.counters.push_back(counter);
    }
    limit_registers();
    return std::move(plan);
  }

 private:
  void look_at_loops(BlockCounter& counter, const TripFinder& finder) {
    if (const auto constant = finder.constant_per_call(*counter.leader.block)) {
      counter.facts.per_call = *constant;
      counter.facts.flags |= LBHM_BLOCK_INPUT_INDEPENDENT;
    }
    counter.trips = finder.trips_of(*counter.leader.block);
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

}  // namespace

BlockPlan plan_blocks(Function& function, const TargetTransformInfo& reference, FunctionAnalysisManager& analyses) {
  return BlockPlanner(function, reference, analyses).make();
}

}  // namespace lbhm::compiler
