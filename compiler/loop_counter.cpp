#include "compiler/loop_counter.h"

namespace lbhm::compiler {

using namespace llvm;

namespace {
/// Instructions in flight: a shorter run of a loop and the next one overlap. Nominal; that of Skylake has 224 (Intel
/// optimisation manual), later ones more. A power of two is cheap to divide by.
constexpr unsigned window_bits = 8;
}  // namespace

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

}  // namespace lbhm::compiler
