#include "compiler/emitter.h"

#include "compiler/locals.h"
#include "compiler/loop_counter.h"
#include "compiler/predictor.h"
#include "compiler/push.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Worth a register: `next` where entries are pushed in regular code, the history where branches run again and again.
SmallVector<ThreadField, 2> fields_in_registers(const FunctionPlan& plan) {
  SmallVector<ThreadField, 2> fields;
  if (!plan.segments.empty()) fields.push_back(field_next);
  if (!plan.branches.conditional.empty() && !plan.loops.empty()) fields.push_back(field_history);
  return fields;
}

class Emitter {
 public:
  Emitter(Function& of, const FunctionPlan& with, const ModuleSymbols& known)
      : function(of),
        plan(with),
        symbols(known),
        locals(of, known, fields_in_registers(with)),
        pusher(of, locals, known.refill),
        predictor(locals, pusher) {}

  /// Counters first: what is inserted later must find them complete, and blocks must still be whole.
  void emit() {
    for (const auto& [block, cost] : plan.costs) {
      IRBuilder<> builder(locals.start_of(*block));
      add_counts(locals, builder, cost, builder.getInt64(1));
      if (cost.slots() != 0) locals.add(builder, field_slots, builder.getInt64(cost.slots()));
    }
    counters.reserve(plan.loops.size());
    for (const CountedLoop& loop : plan.loops) count(loop);
    for (const LoopExit& exit : plan.branches.exits) count_iterations(*exit.loop);
    for (LoopCounter& counter : counters) counter.flush_at_exits();
    for (const LoopExit& exit : plan.branches.exits) predict(exit);
    for (const Branch& branch : plan.branches.conditional)
      predictor.conditional(branch, source_of(branch), flush_of(*branch.terminator));
    for (const Branch& branch : plan.branches.switches)
      predictor.indirect(branch, source_of(branch), flush_of(*branch.terminator));
    for (const Segment& segment : plan.segments) pusher.push(segment, flush_of(*segment.end));
    for (const Crossing& crossing : plan.crossings) cross(crossing);
    reload_in_landing_pads();
    locals.promote();
  }

 private:
  /// In a counted loop only terminators end segments: there are no calls.
  void count(const CountedLoop& loop) {
    counters.emplace_back(locals, loop);
    counter_of[loop.loop] = &counters.back();
    for (BasicBlock* block : loop.loop->blocks()) counter_at[block->getTerminator()] = &counters.back();
  }

  Flush flush_of(const Instruction& terminator) {
    LoopCounter* counter = counter_at.lookup(&terminator);
    return [counter](IRBuilder<>& builder) {
      if (counter) counter->flush(builder, false);
    };
  }

  /// For loops without trip counts.
  void count_iterations(const Loop& loop) {
    if (counter_of.contains(&loop) || iterations_of.contains(&loop)) return;
    AllocaInst* iterations = locals.variable("lbhm.iterations", 0);
    iterations_of[&loop] = iterations;
    IRBuilder<> builder(locals.start_of(*loop.getHeader()));
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), iterations), builder.getInt64(1)),
                        iterations);
    SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits) {
      builder.SetInsertPoint(locals.start_of(*exit));
      builder.CreateStore(builder.getInt64(0), iterations);
    }
  }

  void predict(const LoopExit& exit) {
    auto* branch = cast<BranchInst>(exit.branch.terminator);
    BasicBlock* to = branch->getSuccessor(exit.successor);
    if (!to->getSinglePredecessor()) to = SplitEdge(branch->getParent(), to);
    Instruction* at = locals.start_of(*to);
    IRBuilder<> builder(at);
    LoopCounter* counter = counter_of.lookup(exit.loop);
    Value* iterations = counter ? counter->iterations(builder)
                                : builder.CreateLoad(builder.getInt64Ty(), iterations_of.lookup(exit.loop));
    predictor.loop_exit(exit, iterations, *at, source_of(exit.branch), flush_of(*branch));
  }

  std::uint32_t source_of(const Branch& branch) const { return plan.numbers.lookup(branch.condition_from); }

  void cross(const Crossing& crossing) {
    IRBuilder<> builder(crossing.at);
    if (crossing.kind != Boundary::after) locals.write_back(builder);
    for (const Site& site : crossing.ranges) {
      Value* size = builder.CreateZExtOrTrunc(site.access.size, builder.getInt64Ty());
      builder.CreateCall(symbols.range,
                         {locals.thread_address(), site.access.pointer, size, builder.getInt64(entry_flags(site))});
    }
    if (crossing.kind == Boundary::order) call(builder, symbols.order);
    if (crossing.kind == Boundary::call || crossing.kind == Boundary::order) {
      builder.SetInsertPoint(crossing.at->getNextNode());
      if (crossing.kind == Boundary::order) call(builder, symbols.order_end);
      locals.reload(builder);
    }
    if (crossing.kind == Boundary::raise) reload_behind(cast<InvokeInst>(*crossing.at));
  }

  void call(IRBuilder<>& builder, Function* of) {
    builder.CreateCall(of, {locals.thread_address()})->setCallingConv(of->getCallingConv());
  }

  void reload_behind(InvokeInst& invoke) {
    BasicBlock* to = invoke.getNormalDest();
    if (!to->getSinglePredecessor()) to = SplitEdge(invoke.getParent(), to);
    IRBuilder<> builder(&*to->getFirstInsertionPt());
    locals.reload(builder);
  }

  void reload_in_landing_pads() {
    for (BasicBlock& block : function) {
      if (!block.isLandingPad()) continue;
      IRBuilder<> builder(&*block.getFirstInsertionPt());
      locals.reload(builder);
    }
  }

  Function& function;
  const FunctionPlan& plan;
  const ModuleSymbols& symbols;
  Locals locals;
  Pusher pusher;
  Predictor predictor;
  std::vector<LoopCounter> counters;
  DenseMap<const Loop*, LoopCounter*> counter_of;
  DenseMap<const Instruction*, LoopCounter*> counter_at;
  DenseMap<const Loop*, AllocaInst*> iterations_of;
};

}  // namespace

void emit(Function& function, const FunctionPlan& plan, const ModuleSymbols& symbols) {
  Emitter(function, plan, symbols).emit();
}

}  // namespace lbhm::compiler
