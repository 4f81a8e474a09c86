#include "compiler/plan.h"

#include "compiler/serial.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

bool is_vector(const Instruction& instruction) {
  return instruction.getType()->isVectorTy() ||
         any_of(instruction.operands(), [](const Use& operand) { return operand->getType()->isVectorTy(); });
}

/// Whether the processor has something to do for it.
bool is_counted(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return !isa<PHINode>(instruction) && !(intrinsic && intrinsic->isAssumeLikeIntrinsic());
}

class Planner {
 public:
  Planner(Function& of, FunctionAnalysisManager& analyses)
      : function(of),
        library(analyses.getResult<TargetLibraryAnalysis>(of)),
        loops(analyses.getResult<LoopAnalysis>(of)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(of)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(of)),
        postdominators(analyses.getResult<PostDominatorTreeAnalysis>(of)) {}

  FunctionPlan make() {
    for (BasicBlock& block : function) {
      if (!dominators.isReachableFromEntry(&block)) continue;
      cost = {};
      for (Instruction& instruction : block) visit(instruction);
      plan.costs[&block] = cost;
    }
    plan.loops = count_loops(loops, dominators, postdominators, crossed, plan.costs);
    return std::move(plan);
  }

 private:
  void visit(Instruction& instruction) {
    if (is_counted(instruction)) {
      ++cost.instructions;
      cost.vectors += is_vector(instruction);
    }
    Crossing crossing{&instruction, boundary_of(instruction, library), {}};
    look_at_accesses(instruction, crossing);
    if (crossing.kind != Boundary::none) {
      close_segment(instruction);
      crossed.insert(instruction.getParent());
      plan.crossings.push_back(std::move(crossing));
    }
    if (instruction.isTerminator()) end_block(instruction);
  }

  void look_at_accesses(Instruction& instruction, Crossing& crossing) {
    Accesses accesses = find_accesses(instruction, library);
    cost.accesses += accesses.count;
    plan.skipped += accesses.skipped;
    for (Access& access : accesses.seen) {
      if (auto* load = dyn_cast<LoadInst>(&instruction))
        access.serial = loops.getLoopFor(load->getParent()) && is_serial(*load);
      if (access.shape != Shape::range) {
        pending.push_back(access);
        continue;
      }
      crossing.ranges.push_back({.access = access, .number = plan.sites++});
      if (crossing.kind == Boundary::none) crossing.kind = Boundary::call;
    }
  }

  void close_segment(Instruction& end) {
    if (pending.empty()) return;
    Segment segment{&end, cluster(pending, evolution)};
    bool looped = loops.getLoopFor(end.getParent()) != nullptr;
    for (Site& site : segment.sites) {
      site.looped = looped;
      site.number = plan.sites++;
    }
    plan.segments.push_back(std::move(segment));
    pending.clear();
  }

  void end_block(Instruction& terminator) {
    close_segment(terminator);
    auto* branch = dyn_cast<BranchInst>(&terminator);
    cost.branches += (branch && branch->isConditional()) || isa<SwitchInst>(terminator);
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return;
    const Loop* loop = loops.getLoopFor(branch->getParent());
    for (unsigned successor : {0U, 1U}) {
      if (loop && !loop->contains(branch->getSuccessor(successor))) return plan.exits.push_back({branch, successor});
    }
    plan.branches.push_back(branch);
  }

  Function& function;
  const TargetLibraryInfo& library;
  const LoopInfo& loops;
  ScalarEvolution& evolution;
  const DominatorTree& dominators;
  const PostDominatorTree& postdominators;
  FunctionPlan plan;
  BlockCost cost;
  SmallVector<Access, 16> pending;
  SmallPtrSet<BasicBlock*, 16> crossed;
};

}  // namespace

FunctionPlan make_plan(Function& function, FunctionAnalysisManager& analyses) {
  return Planner(function, analyses).make();
}

}  // namespace lbhm::compiler
