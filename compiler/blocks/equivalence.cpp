#include "compiler/blocks/equivalence.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

/// So many dominators are looked at for a partner. Farther ones cost compile time and save a counter at most.
constexpr unsigned partner_distance = 64;

/// What the compiler calls for products and quotients of complex numbers (C, annex G; names of libgcc's and
/// compiler-rt's): numbers in, numbers out.
bool is_complex_arithmetic(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* called = call ? call->getCalledFunction() : nullptr;
  return called && StringSwitch<bool>(called->getName())
                       .Cases("__mulsc3", "__muldc3", "__mulxc3", "__multc3", true)
                       .Cases("__divsc3", "__divdc3", "__divxc3", "__divtc3", true)
                       .Default(false);
}

/// Invokes among them: the CFG shows where they throw to, but not that they exit.
bool is_risky(const Instruction& instruction) {
  const bool may_end = !isGuaranteedToTransferExecutionToSuccessor(&instruction) && !is_complex_arithmetic(instruction);
  return may_end && (!instruction.isTerminator() || isa<CallBase>(instruction));
}

bool returns_again(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call && call->hasFnAttr(Attribute::ReturnsTwice);
}

SmallVector<Piece, 2> pieces_of(BasicBlock& block) {
  SmallVector<Piece, 2> pieces{{&block, nullptr, nullptr}};
  for (Instruction& instruction : block) {
    if (!returns_again(instruction)) continue;
    pieces.back().end = instruction.getNextNode();
    pieces.push_back({&block, instruction.getNextNode(), nullptr});
  }
  return pieces;
}

}  // namespace

FunctionShape::FunctionShape(Function& of, LoopInfo& with, DominatorTree& dominating, PostDominatorTree& postdominating)
    : loops(with), function(of), dominators(dominating), postdominators(postdominating) {
  dominators.updateDFSNumbers();
  postdominators.updateDFSNumbers();
  for (BasicBlock& block : function) {
    if (!dominators.isReachableFromEntry(&block) || none_of(block, is_risky)) continue;
    risky.push_back(&block);
    for (const Loop* loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) open.insert(loop);
  }
}

bool FunctionShape::together(const BasicBlock& first, const BasicBlock& then) const {
  return loops.getLoopFor(&first) == loops.getLoopFor(&then) && dominators.dominates(&first, &then) &&
         postdominators.dominates(&then, &first);
}

/// No call between the begins of the two that might not return. What lies between two blocks that the CFG runs equally
/// often is dominated by the one and postdominated by the other.
bool FunctionShape::is_safe_between(const BasicBlock& first, const BasicBlock& then) const {
  return none_of(risky, [&](const BasicBlock* each) {
    return each != &then && dominators.dominates(&first, each) && postdominators.dominates(&then, each);
  });
}

BasicBlock* FunctionShape::partner_of(BasicBlock& block) const {
  const Loop* loop = loops.getLoopFor(&block);
  auto* node = dominators.getNode(&block)->getIDom();
  for (unsigned steps = 0; node && steps < partner_distance; node = node->getIDom(), ++steps) {
    BasicBlock* candidate = node->getBlock();
    if (loop && !loop->contains(candidate)) return nullptr;
    if (!together(*candidate, block)) continue;
    return is_safe_between(*candidate, block) ? candidate : nullptr;
  }
  return nullptr;
}

std::vector<PieceClass> FunctionShape::classes() const {
  std::vector<PieceClass> found;
  DenseMap<const BasicBlock*, std::size_t> class_of;
  ReversePostOrderTraversal<Function*> dominators_first(&function);
  for (BasicBlock* block : dominators_first) {
    const SmallVector<Piece, 2> pieces = pieces_of(*block);
    BasicBlock* partner = partner_of(*block);
    const std::size_t number = partner ? class_of.lookup(partner) : found.size();
    if (!partner) found.emplace_back();
    found[number].pieces.push_back(pieces.front());
    class_of[block] = number;
    for (const Piece& behind : ArrayRef(pieces).drop_front()) found.push_back({{behind}});
  }
  return found;
}

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
