#include "compiler/instrument/emitter.h"

#include "compiler/instrument/predictor.h"
#include "compiler/instrument/push.h"
#include "lbhm/instrumentation.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// Instructions in flight: a shorter run of a loop and the next one overlap. Nominal; that of Skylake has 224 (Intel
/// optimisation manual), later ones more. A power of two is cheap to divide by.
constexpr unsigned window_bits = 8;

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
    for (const CallFreeSegment& segment : plan.segments) pusher.push(segment, flush_of(*segment.end));
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
    if (crossing.kind == Boundary::order) order(builder, crossing.look);
    if (crossing.kind == Boundary::call || crossing.kind == Boundary::order) {
      builder.SetInsertPoint(crossing.at->getNextNode());
      if (crossing.kind == Boundary::order) call(builder, symbols.order_end);
      locals.reload(builder);
    }
    if (crossing.kind == Boundary::raise) reload_behind(cast<InvokeInst>(*crossing.at));
  }

  void order(IRBuilder<>& builder, const LoadInst* look) {
    if (look) {
      Value* pointer = const_cast<Value*>(look->getPointerOperand());
      builder.CreateCall(symbols.range,
                         {locals.thread_address(), pointer, builder.getInt64(0), builder.getInt64(LBHM_EMU_LOOK)});
    }
    call(builder, symbols.order);
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

Locals::Locals(Function& of, const ModuleSymbols& with, ArrayRef<ThreadField> in_registers)
    : symbols(with), variables(of), thread(with.thread) {
  IRBuilder<> builder(variables.body());
  thread = thread_local_address(builder, *symbols.thread);
  for (ThreadField which : in_registers) registers.push_back({which, variables.add(type_of(which), "lbhm.register")});
  reload(builder);
}

Value* Locals::field(IRBuilder<>& builder, ThreadField which) const {
  return builder.CreateStructGEP(symbols.thread_type, thread, which);
}

Value* Locals::load(IRBuilder<>& builder, ThreadField which) const {
  const auto* held = find_if(registers, [&](const Register& each) { return each.which == which; });
  return builder.CreateLoad(type_of(which), held != registers.end() ? held->variable : field(builder, which));
}

void Locals::store(IRBuilder<>& builder, Value* value, ThreadField which) const {
  const auto* held = find_if(registers, [&](const Register& each) { return each.which == which; });
  builder.CreateStore(value, held != registers.end() ? held->variable : field(builder, which));
}

void Locals::add(IRBuilder<>& builder, ThreadField counter, Value* value) const {
  Value* there = field(builder, counter);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), there), value), there);
}

void Locals::write_back(IRBuilder<>& builder) const {
  for (const Register& each : registers)
    builder.CreateStore(builder.CreateLoad(type_of(each.which), each.variable), field(builder, each.which));
}

void Locals::reload(IRBuilder<>& builder) const {
  for (const Register& each : registers)
    builder.CreateStore(builder.CreateLoad(type_of(each.which), field(builder, each.which)), each.variable);
}

void add_counts(Locals& locals, IRBuilder<>& builder, const BlockCost& cost, Value* times) {
  auto add = [&](ThreadField counter, std::uint64_t each) {
    if (each != 0) locals.add(builder, counter, builder.CreateMul(times, builder.getInt64(each)));
  };
  add(field_instructions, cost.instructions);
  add(field_accesses, cost.accesses);
  add(field_vectors, cost.vectors);
  add(field_branches, cost.branches);
  add(field_units, cost.units());
}

LoopCounter::LoopCounter(Locals& held, const CountedLoop& counted)
    : locals(held), loop(counted), flushed(held.variable("lbhm.flushed", 0)) {
  for (const TripCount& trip : loop.trips) {
    AllocaInst* times = locals.variable("lbhm.trips", 0);
    IRBuilder<> builder(locals.start_of(*trip.leader));
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), times), builder.getInt64(1)), times);
    trips.push_back(times);
  }
}

Value* LoopCounter::iterations(IRBuilder<>& builder) const {
  return builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), trips.front()),
                           builder.CreateLoad(builder.getInt64Ty(), flushed));
}

Value* LoopCounter::take(IRBuilder<>& builder, AllocaInst* variable) {
  Value* value = builder.CreateLoad(builder.getInt64Ty(), variable);
  builder.CreateStore(builder.getInt64(0), variable);
  return value;
}

void LoopCounter::flush(IRBuilder<>& builder, bool left) {
  Value* all = iterations(builder);
  Value* slots = builder.getInt64(0);
  Value* first = nullptr;
  for (auto [variable, trip] : zip(trips, loop.trips)) {
    Value* times = take(builder, variable);
    if (!first) first = times;
    add_counts(locals, builder, trip.cost, times);
    slots = builder.CreateAdd(slots, builder.CreateMul(times, builder.getInt64(trip.cost.slots())));
  }
  if (loop.chain.cycles == 0)
    locals.add(builder, field_slots, slots);
  else
    add_chain(builder, first, slots, left);
  builder.CreateStore(left ? builder.getInt64(0) : all, flushed);
}

/// A run of n iterations takes n times the chain. If its n * I instructions leave room in the window W, the next run
/// begins meanwhile: only the part n * I / W of the time counts, or the dispatch if that takes longer.
void LoopCounter::add_chain(IRBuilder<>& builder, Value* times, Value* slots, bool left) {
  Value* cycles = builder.CreateMul(times, builder.getInt64(loop.chain.cycles));
  Value* additions = builder.CreateMul(times, builder.getInt64(loop.chain.additions));
  if (!left || loop.chain.goes_on) {
    locals.add(builder, field_chain, cycles);
    if (loop.chain.additions != 0) locals.add(builder, field_additions, additions);
    return;
  }
  Value* before = builder.CreateLoad(builder.getInt64Ty(), flushed);
  Value* work =
      builder.CreateMul(builder.CreateAdd(before, times), builder.getInt64(loop.trips.front().cost.instructions));
  Value* overlaps = builder.CreateICmpULT(work, builder.getInt64(1U << window_bits));
  const auto part_of = [&](Value* all) { return builder.CreateLShr(builder.CreateMul(all, work), window_bits); };
  Value* part = part_of(cycles);
  Value* dispatched = builder.CreateAnd(
      overlaps, builder.CreateICmpULT(builder.CreateMul(part, builder.getInt64(dispatch_width)), slots));
  Value* none = builder.getInt64(0);
  const auto counted = [&](Value* all, Value* overlapping) {
    return builder.CreateSelect(dispatched, none, builder.CreateSelect(overlaps, overlapping, all));
  };
  locals.add(builder, field_slots, builder.CreateSelect(dispatched, slots, none));
  locals.add(builder, field_chain, counted(cycles, part));
  if (loop.chain.additions != 0) locals.add(builder, field_additions, counted(additions, part_of(additions)));
}

void LoopCounter::flush_at_exits() {
  for (BasicBlock* exit : loop.exits) {
    IRBuilder<> builder(locals.start_of(*exit));
    flush(builder, true);
  }
}

void emit(Function& function, const FunctionPlan& plan, const ModuleSymbols& symbols) {
  Emitter(function, plan, symbols).emit();
}

}  // namespace lbhm::compiler
