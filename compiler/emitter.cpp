#include "compiler/emitter.h"

#include "compiler/locals.h"
#include "compiler/push.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// The registers of a counted loop.
struct LoopRegisters {
  const CountedLoop* loop;
  SmallVector<AllocaInst*, 4> trips;
  AllocaInst* mispredictions = nullptr;
};

class Emitter {
 public:
  Emitter(Function& of, const FunctionPlan& with, const ModuleSymbols& known)
      : function(of), plan(with), symbols(known), locals(of, known), pusher(of, locals, known.refill) {}

  /// Counters first: what is inserted later must find them complete, and blocks must still be whole.
  void emit() {
    for (const auto& [block, cost] : plan.costs) {
      IRBuilder<> builder(locals.start_of(*block));
      add_cost(builder, cost, builder.getInt64(1));
    }
    for (const CountedLoop& loop : plan.loops) count_trips(loop);
    for (BranchInst* branch : plan.branches) predict(*branch);
    for (LoopRegisters& loop : loops) flush_at_exits(loop);
    for (const LoopExit& exit : plan.exits) count_exit(exit);
    for (const Segment& segment : plan.segments) push(segment);
    for (const Crossing& crossing : plan.crossings) cross(crossing);
    reload_in_landing_pads();
    locals.promote();
  }

 private:
  void add_cost(IRBuilder<>& builder, const BlockCost& cost, Value* times) {
    auto add = [&](ThreadField counter, std::uint64_t each) {
      if (each != 0) locals.add(builder, counter, builder.CreateMul(times, builder.getInt64(each)));
    };
    add(field_instructions, cost.instructions);
    add(field_accesses, cost.accesses);
    add(field_vectors, cost.vectors);
    add(field_branches, cost.branches);
  }

  void count_trips(const CountedLoop& loop) {
    LoopRegisters registers{&loop, {}};
    for (const TripCount& trip : loop.trips) {
      AllocaInst* times = locals.variable("lbhm.trips", 0);
      IRBuilder<> builder(locals.start_of(*trip.leader));
      builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), times), builder.getInt64(1)),
                          times);
      registers.trips.push_back(times);
    }
    for (BasicBlock* block : loop.blocks) loop_of[block] = loops.size();
    loops.push_back(registers);
  }

  LoopRegisters* loop_at(const BasicBlock* block) {
    auto found = loop_of.find(block);
    return found == loop_of.end() ? nullptr : &loops[found->second];
  }

  /// mispredictions += (outcome != last outcome); last outcome = outcome
  void predict(BranchInst& branch) {
    AllocaInst* last = locals.variable("lbhm.outcome", 0);
    IRBuilder<> builder(&branch);
    Value* outcome = builder.CreateZExt(branch.getCondition(), builder.getInt64Ty());
    Value* wrong = builder.CreateXor(outcome, builder.CreateLoad(builder.getInt64Ty(), last));
    builder.CreateStore(outcome, last);
    LoopRegisters* loop = loop_at(branch.getParent());
    if (!loop) return locals.add(builder, field_mispredictions, wrong);
    AllocaInst*& sum = loop->mispredictions;
    if (!sum) sum = locals.variable("lbhm.mispredictions", 0);
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), sum), wrong), sum);
  }

  void count_exit(const LoopExit& exit) {
    BasicBlock* from = exit.branch->getParent();
    BasicBlock* to = exit.branch->getSuccessor(exit.successor);
    if (!to->getSinglePredecessor()) to = SplitEdge(from, to);
    IRBuilder<> builder(locals.start_of(*to));
    locals.add(builder, field_mispredictions, builder.getInt64(1));
  }

  void flush_at_exits(LoopRegisters& loop) {
    for (BasicBlock* exit : loop.loop->exits) {
      IRBuilder<> builder(locals.start_of(*exit));
      flush(builder, loop);
    }
  }

  void flush(IRBuilder<>& builder, LoopRegisters& loop) {
    auto take = [&](AllocaInst* variable) {
      Value* value = builder.CreateLoad(builder.getInt64Ty(), variable);
      builder.CreateStore(builder.getInt64(0), variable);
      return value;
    };
    for (auto [times, trip] : zip(loop.trips, loop.loop->trips)) add_cost(builder, trip.cost, take(times));
    if (loop.mispredictions) locals.add(builder, field_mispredictions, take(loop.mispredictions));
  }

  void push(const Segment& segment) {
    LoopRegisters* loop = loop_at(segment.end->getParent());
    pusher.push(segment, [&](IRBuilder<>& builder) {
      if (loop) flush(builder, *loop);
    });
  }

  void cross(const Crossing& crossing) {
    IRBuilder<> builder(crossing.at);
    if (crossing.kind != Boundary::after) locals.write_back(builder);
    for (const Site& site : crossing.ranges) {
      Value* size = builder.CreateZExtOrTrunc(site.access.size, builder.getInt64Ty());
      builder.CreateCall(symbols.range, {locals.thread_address(), site.access.pointer, size,
                                         builder.getInt64(entry_flags(function, site))});
    }
    if (crossing.kind == Boundary::call) {
      builder.SetInsertPoint(crossing.at->getNextNode());
      locals.reload(builder);
    }
    if (crossing.kind == Boundary::raise) reload_behind(cast<InvokeInst>(*crossing.at));
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
  std::vector<LoopRegisters> loops;
  DenseMap<const BasicBlock*, std::size_t> loop_of;
};

}  // namespace

void emit(Function& function, const FunctionPlan& plan, const ModuleSymbols& symbols) {
  Emitter(function, plan, symbols).emit();
}

}  // namespace lbhm::compiler
