#include "compiler/blocks/trips.h"

namespace lbhm::compiler {

using namespace llvm;

/// Executions of the block for every entry into its loop; null if they are not known.
const SCEV* TripFinder::times_in(BasicBlock& block, const Loop& loop) const {
  const SCEV* back = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(back)) return nullptr;
  Type* word = Type::getInt64Ty(block.getContext());
  const SCEV* rounds = evolution.getTruncateOrZeroExtend(back, word);
  if (shape.together(*loop.getHeader(), block)) return evolution.getAddExpr(rounds, evolution.getOne(word));
  BasicBlock* latch = loop.getLoopLatch();
  if (!latch || loop.isLoopExiting(latch)) return nullptr;
  return &block == latch || shape.together(block, *latch) ? rounds : nullptr;
}

bool TripFinder::can_compute(const Trips& trips, const Loop& loop) const {
  Instruction* at = trips.preheader->getTerminator();
  auto* around = const_cast<Loop*>(&loop);  // NOLINT: the expander only reads it
  return expander.isSafeToExpandAt(trips.times, at) &&
         !expander.isHighCostExpansion({trips.times}, around, SCEVCheapExpansionBudget, &costs, at);
}

std::optional<Trips> TripFinder::trips_of(BasicBlock& block) const {
  const Loop* loop = shape.loops.getLoopFor(&block);
  if (!loop || !shape.is_closed(*loop) || !loop->getLoopPreheader()) return std::nullopt;
  Trips trips{times_in(block, *loop), loop->getLoopPreheader()};
  if (!trips.times || !can_compute(trips, *loop)) return std::nullopt;
  for (const Loop* outer = loop->getParentLoop(); outer; outer = outer->getParentLoop()) {
    if (!shape.is_closed(*outer) || !outer->getLoopPreheader() || !evolution.isLoopInvariant(trips.times, outer)) break;
    const SCEV* runs = times_in(*trips.preheader, *outer);
    if (!runs) break;
    const Trips farther{evolution.getMulExpr(trips.times, runs), outer->getLoopPreheader()};
    if (!can_compute(farther, *outer)) break;
    trips = farther;
  }
  return trips;
}

std::optional<std::uint64_t> TripFinder::constant_per_call(BasicBlock& block) const {
  std::uint64_t all = 1;
  BasicBlock* at = &block;
  while (const Loop* loop = shape.loops.getLoopFor(at)) {
    const SCEV* times = times_in(*at, *loop);
    const auto* constant = dyn_cast_or_null<SCEVConstant>(times);
    if (!constant || !loop->getLoopPreheader()) return std::nullopt;
    all *= constant->getAPInt().getZExtValue();
    at = loop->getLoopPreheader();
  }
  BasicBlock& entry = at->getParent()->getEntryBlock();
  return at == &entry || shape.together(entry, *at) ? std::optional(all) : std::nullopt;
}

}  // namespace lbhm::compiler
