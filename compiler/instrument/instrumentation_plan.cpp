#include "compiler/instrument/instrumentation_plan.h"

#include <algorithm>
#include <optional>

#include "compiler/instrument/accesses.h"
#include "compiler/instrument/added_code.h"
#include "compiler/instrument/code_generator.h"
#include "compiler/instrument/instruction_cost.h"
#include "compiler/instrument/waiting_loops.h"
#include "compiler/regions/region_marks.h"
#include "lbhm/instrumentation.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// A library function from numbers to numbers (sqrt, pow): it neither calls back nor looks at the buffer.
bool is_arithmetic(const CallBase& call, const TargetLibraryInfo& library) {
  LibFunc function;
  if (!library.getLibFunc(call, function) || !call.getType()->isFloatingPointTy()) return false;
  return all_of(call.args(), [](const Use& argument) { return !argument->getType()->isPointerTy(); });
}

bool runs_other_code(const CallBase& call, const TargetLibraryInfo& library) {
  if (call.isInlineAsm() || isa<CallBrInst>(call)) return false;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return !intrinsic->hasFnAttr(Attribute::NoCallback);
  return !is_arithmetic(call, library);
}

/// A call whose result, if any, is returned at once. Reloading behind it would cost the program its tail call.
bool is_in_tail_position(const CallBase& call) {
  const auto* plain = dyn_cast<CallInst>(&call);
  if (!plain || !plain->isTailCall()) return false;
  const auto* next = dyn_cast_or_null<ReturnInst>(plain->getNextNonDebugInstruction());
  return next &&
         (!next->getReturnValue() || next->getReturnValue() == plain || isa<UndefValue>(next->getReturnValue()));
}

/// With more trip counts than this, adding the constants up in every block costs less.
constexpr std::size_t most_trips = 4;

std::optional<CountedLoop> count_loop(const Loop& loop, const DominatorTree& dominators,
                                      const PostDominatorTree& postdominators, const BlockCosts& costs) {
  CountedLoop counted;
  counted.loop = &loop;
  SmallVector<BasicBlock*, 8> order(loop.blocks());
  for (BasicBlock* block : order) {
    auto same = std::find_if(counted.trips.begin(), counted.trips.end(), [&](const TripCount& trip) {
      return dominators.dominates(trip.leader, block) && postdominators.dominates(block, trip.leader);
    });
    if (same == counted.trips.end()) {
      if (counted.trips.size() == most_trips) return std::nullopt;
      counted.trips.push_back({block, {}});
      same = counted.trips.end() - 1;
    }
    same->cost += costs.lookup(block);
  }
  loop.getUniqueExitBlocks(counted.exits);
  return counted;
}

/// The chain, if the loop has to wait for it: if it takes longer than the dispatch of all of the body.
Chain limiting_chain(const CountedLoop& counted, const CostModel& model) {
  std::uint64_t slots = 0;
  for (const TripCount& trip : counted.trips) slots += std::max(trip.cost.slots(), trip.cost.units());
  Chain chain = longest_chain(*counted.loop, model);
  return chain.cycles * dispatch_width > slots ? chain : Chain{};
}

/// How threads tell each other something without a call, and wait for it in a loop: volatile accesses, loads that
/// acquire, and stores that release.
template <class Access>
bool is_signal(const Access& access) {
  return access.isVolatile() || isStrongerThanMonotonic(access.getOrdering());
}

/// Whether the order in which threads come to the operation matters, which is no load: an atomic read-modify-write
/// whose result is used, for it tells threads apart, and what threads signal to each other with.
bool hands_out_order(const Instruction& instruction) {
  const auto* store = dyn_cast<StoreInst>(&instruction);
  return (store && is_signal(*store)) || isa<AtomicCmpXchgInst>(instruction) ||
         (isa<AtomicRMWInst>(instruction) && !instruction.use_empty());
}

/// Of a static variable of a function: the machine orders those who make it by itself (static_guards.cpp).
bool is_guard(const Value& pointer) { return pointer.getName().starts_with("_ZGV"); }

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
        predicted(find_predicted_selects(of, model)),
        waited_for(places_waited_for(loops)) {}

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
    for (CallFreeSegment& segment : plan.segments) find_sources(segment.sites);
    for (Crossing& crossing : plan.crossings) find_sources(crossing.ranges);
    return std::move(plan);
  }

 private:
  void visit(Instruction& instruction) {
    if (is_added(instruction)) return visit_own(instruction);
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
    if (accesses.seen.empty() || crossing.kind != Boundary::none) return;
    crossing.look = look_at_signal(instruction);
    if (crossing.look || hands_out_order(instruction)) crossing.kind = Boundary::order;
  }

  /// A load by which a thread may wait for another one's store; null: it is none.
  const LoadInst* look_at_signal(const Instruction& instruction) const {
    const auto* load = dyn_cast<LoadInst>(&instruction);
    if (!load || is_guard(*load->getPointerOperand())) return nullptr;
    return is_signal(*load) || waited_for.contains(load->getPointerOperand()) ? load : nullptr;
  }

  std::uint32_t next_number() { return site_number(function, plan.sites++); }

  void close_segment(Instruction& end) {
    if (pending.empty()) return;
    CallFreeSegment segment{&end, cluster(pending, evolution)};
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
  LoadDependences dependences;
  BranchSorter branches;
  CostModel model;
  PredictedSelects predicted;
  Places waited_for;
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

Boundary boundary_of(const Instruction& instruction, const TargetLibraryInfo& library) {
  if (isa<ResumeInst>(instruction)) return Boundary::leave;
  if (isa<ReturnInst>(instruction)) {
    const auto* before = dyn_cast_or_null<CallInst>(instruction.getPrevNonDebugInstruction());
    return before && boundary_of(*before, library) == Boundary::leave ? Boundary::after : Boundary::leave;
  }
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || !runs_other_code(*call, library)) return Boundary::none;
  if (isa<InvokeInst>(call)) return Boundary::raise;
  if (call->isMustTailCall() || is_in_tail_position(*call)) return Boundary::leave;
  return call->doesNotReturn() && isa_and_nonnull<UnreachableInst>(call->getNextNonDebugInstruction()) ? Boundary::leave
                                                                                                       : Boundary::call;
}

std::vector<CountedLoop> count_loops(const LoopInfo& loops, const DominatorTree& dominators,
                                     const PostDominatorTree& postdominators,
                                     const SmallPtrSetImpl<BasicBlock*>& crossed, const CostModel& model,
                                     BlockCosts& costs) {
  std::vector<CountedLoop> all;
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || any_of(loop->blocks(), [&](BasicBlock* block) { return crossed.contains(block); }))
      continue;
    auto counted = count_loop(*loop, dominators, postdominators, costs);
    if (!counted) continue;
    counted->chain = limiting_chain(*counted, model);
    for (BasicBlock* block : loop->blocks()) costs.erase(block);
    all.push_back(std::move(*counted));
  }
  return all;
}

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
  for (const CallFreeSegment& segment : plan.segments) add_records_of(segment.sites, records);
  for (const Crossing& crossing : plan.crossings) add_records_of(crossing.ranges, records);
}

}  // namespace lbhm::compiler
