#include "compiler/plan.h"

#include "compiler/cost.h"
#include "compiler/dependence.h"
#include "compiler/own.h"
#include "compiler/predicted_selects.h"
#include "compiler/regions/entrances.h"
#include "lbhm/instrumentation.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

class Planner {
 public:
  Planner(Function& of, const TargetTransformInfo& reference, FunctionAnalysisManager& analyses)
      : function(of),
        library(analyses.getResult<TargetLibraryAnalysis>(of)),
        loops(analyses.getResult<LoopAnalysis>(of)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(of)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(of)),
        postdominators(analyses.getResult<PostDominatorTreeAnalysis>(of)),
        dependences(library, loops, dominators, evolution),
        branches(of, loops, evolution, dependences),
        model({analyses.getResult<TargetIRAnalysis>(of), reference, library, loops, dominators, evolution}),
        predicted(find_predicted_selects(of, model)) {}

  FunctionPlan make() {
    for (BasicBlock& block : function) {
      if (!dominators.isReachableFromEntry(&block)) continue;
      cost = {};
      conditions.clear();
      for (Instruction& instruction : block) visit(instruction);
      plan.costs[&block] = cost;
    }
    plan.loops = count_loops(loops, dominators, postdominators, crossed, model, plan.costs);
    plan.branches = std::move(branches.sorted);
    for (Segment& segment : plan.segments) find_sources(segment.sites);
    for (Crossing& crossing : plan.crossings) find_sources(crossing.ranges);
    return std::move(plan);
  }

 private:
  void visit(Instruction& instruction) {
    if (is_own(instruction)) return visit_own(instruction);
    cost += model.cost(instruction);
    Crossing crossing{&instruction, boundary_of(instruction, library), {}};
    look_at_accesses(instruction, crossing);
    if (crossing.kind != Boundary::none) {
      close_segment(instruction);
      crossed.insert(instruction.getParent());
      plan.crossings.push_back(std::move(crossing));
    }
    if (predicted.contains(&instruction)) add_predicted(instruction);
    if (!instruction.isTerminator()) return;
    close_segment(instruction);
    cost.branches += branches.add(instruction);
  }

  /// Not counted. A marker of a region reads the counters.
  void visit_own(Instruction& instruction) {
    if (instruction.isTerminator()) close_segment(instruction);
    if (!is_region_marker(instruction)) return;
    close_segment(instruction);
    crossed.insert(instruction.getParent());
    plan.crossings.push_back({&instruction, boundary_of(instruction, library), {}});
  }

  /// Selections with the same condition are one branch.
  void add_predicted(Instruction& select) {
    const Value* condition = isa<SelectInst>(select) ? select.getOperand(0) : &select;
    if (!conditions.insert(condition).second) return;
    branches.add_select(select);
    ++cost.branches;
  }

  void look_at_accesses(Instruction& instruction, Crossing& crossing) {
    Accesses accesses = find_accesses(instruction, library);
    cost.accesses += accesses.count;
    plan.skipped += accesses.skipped;
    for (Access& access : accesses.seen) {
      access.address_from = dependences.source_of(*access.pointer, instruction);
      if (access.shape != Shape::range) {
        pending.push_back(access);
        continue;
      }
      Site& range = crossing.ranges.emplace_back();
      range.access = access;
      range.number = next_number();
      if (crossing.kind == Boundary::none) crossing.kind = Boundary::call;
    }
    if (!accesses.seen.empty() && crossing.kind == Boundary::none && hands_out_order(instruction))
      crossing.kind = Boundary::order;
  }

  std::uint32_t next_number() { return site_number(function, plan.sites++); }

  void close_segment(Instruction& end) {
    if (pending.empty()) return;
    Segment segment{&end, cluster(pending, evolution)};
    bool looped = loops.getLoopFor(end.getParent()) != nullptr;
    for (Site& site : segment.sites) {
      site.looped = looped;
      site.number = next_number();
      for (const Instruction* each : site.instructions) plan.numbers[each] = site.number;
    }
    plan.segments.push_back(std::move(segment));
    pending.clear();
  }

  void find_sources(std::vector<Site>& sites) const {
    for (Site& site : sites) site.address_from = plan.numbers.lookup(site.access.address_from);
  }

  Function& function;
  const TargetLibraryInfo& library;
  const LoopInfo& loops;
  ScalarEvolution& evolution;
  const DominatorTree& dominators;
  const PostDominatorTree& postdominators;
  Dependences dependences;
  BranchSorter branches;
  CostModel model;
  PredictedSelects predicted;
  SmallPtrSet<const Value*, 4> conditions;  ///< of the block's selections that are branches
  FunctionPlan plan;
  BlockCost cost;
  SmallVector<Access, 16> pending;
  SmallPtrSet<BasicBlock*, 16> crossed;
};

void add_records_of(const std::vector<Site>& sites, std::vector<SiteRecord>& records) {
  for (const Site& site : sites) {
    std::uint32_t flags = site.access.nontemporal ? LBHM_EMU_SITE_NONTEMPORAL : 0;
    if (site.address_from != 0 || flags != 0) records.push_back({site.number, site.address_from, flags});
  }
}

}  // namespace

FunctionPlan make_plan(Function& function, const TargetTransformInfo& reference, FunctionAnalysisManager& analyses) {
  return Planner(function, reference, analyses).make();
}

SmallVector<CallBase*, 16> calls_in(const FunctionPlan& plan) {
  SmallVector<CallBase*, 16> calls;
  for (const Crossing& crossing : plan.crossings) {
    if (auto* call = dyn_cast<CallBase>(crossing.at)) calls.push_back(call);
  }
  return calls;
}

void add_records(const FunctionPlan& plan, std::vector<SiteRecord>& records) {
  for (const Segment& segment : plan.segments) add_records_of(segment.sites, records);
  for (const Crossing& crossing : plan.crossings) add_records_of(crossing.ranges, records);
}

}  // namespace lbhm::compiler
