#include "compiler/instrument/predictor.h"

#include "lbhm/instrumentation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

static_assert(2 * predictor_slots == LBHM_EMU_PREDICTOR && (1U << history_bits) <= predictor_slots);

/// A counter's byte holds its state in bits 4 and 5. The state of zero, as every counter begins, is "not taken,
/// barely".
enum State : std::uint8_t { barely_not = 0, surely_not = 1, barely_taken = 2, surely_taken = 3 };

constexpr std::uint8_t counter_of(State state) { return static_cast<std::uint8_t>(state << 4); }

/// Next state and whether the prediction was wrong, as a byte: the next counter, and in bit 0 a 1 if it was.
constexpr std::uint64_t step(State next, bool wrong) { return std::uint64_t{counter_of(next)} | (wrong ? 1 : 0); }

/// All steps in one word: those of a state from its bit 16 * state on, first that of an outcome 0.
constexpr std::uint64_t steps = step(surely_not, false) << 0 | step(barely_taken, true) << 8 |
                                step(surely_not, false) << 16 | step(barely_not, true) << 24 |
                                step(barely_not, true) << 32 | step(surely_taken, false) << 40 |
                                step(barely_taken, true) << 48 | step(surely_taken, false) << 56;
constexpr std::uint64_t state_mask = 0x30;

Value* byte_at(IRBuilder<>& builder, Value* predictor, Value* index) {
  return builder.CreateGEP(builder.getInt8Ty(), predictor, index);
}

/// Whether the branch is taken, as a value at its block's end.
Value* outcome_of(const Branch& branch, IRBuilder<>& builder) {
  if (!branch.select) return cast<BranchInst>(branch.terminator)->getCondition();
  if (auto* select = dyn_cast<SelectInst>(branch.select)) return select->getCondition();
  auto* least = cast<MinMaxIntrinsic>(branch.select);
  return builder.CreateICmp(least->getPredicate(), least->getLHS(), least->getRHS());
}

Instruction* insert_if_unlikely(Value* condition, Instruction& at) {
  return SplitBlockAndInsertIfThen(condition, &at, false, MDBuilder(at.getContext()).createUnlikelyBranchWeights());
}

/// Blocks of their own between the switch and each of its successors.
SmallVector<BasicBlock*, 8> split_edges(SwitchInst& choice) {
  BasicBlock* from = choice.getParent();
  SmallSetVector<BasicBlock*, 8> targets(succ_begin(from), succ_end(from));
  SmallVector<BasicBlock*, 8> edges;
  for (BasicBlock* to : targets) {
    auto* edge = BasicBlock::Create(from->getContext(), "", from->getParent(), to);
    IRBuilder<>(edge).CreateBr(to)->setDebugLoc(choice.getDebugLoc());
    for (PHINode& phi : to->phis()) {
      Value* value = phi.getIncomingValueForBlock(from);
      phi.addIncoming(value, edge);
      phi.removeIncomingValueIf([&](unsigned index) { return phi.getIncomingBlock(index) == from; }, false);
    }
    choice.replaceSuccessorWith(to, edge);
    edges.push_back(edge);
  }
  return edges;
}

}  // namespace

/// Most counters are settled: the fast path only looks. Storing each time would make every look wait for the last
/// store.
///   place = counters + (branch ^ history)
///   if (*place is not the sure state of this outcome) {
///     step = steps >> (*place + 8 * outcome); *place = state of step; if (step says so) push
///   }
///   history = the last outcomes and this one
void Predictor::conditional(const Branch& branch, std::uint32_t source, const Flush& flush) {
  IRBuilder<> builder(branch.terminator);
  Value* taken = outcome_of(branch, builder);
  Value* history = locals.load(builder, field_history);
  Value* place = byte_at(builder, locals.field(builder, field_predictor),
                         builder.CreateXor(history, builder.getInt64(branch.slot)));
  Value* counter = builder.CreateLoad(builder.getInt8Ty(), place);
  Value* settled =
      builder.CreateSelect(taken, builder.getInt8(counter_of(surely_taken)), builder.getInt8(counter_of(surely_not)));
  Value* unsettled = builder.CreateICmpNE(counter, settled);
  Value* outcome = builder.CreateZExt(taken, builder.getInt64Ty());
  Value* longer = builder.CreateOr(builder.CreateShl(history, 1), outcome);
  locals.store(builder, builder.CreateAnd(longer, (1U << history_bits) - 1), field_history);
  Instruction* then = insert_if_unlikely(unsettled, *branch.terminator);
  builder.SetInsertPoint(then);
  Value* shift = builder.CreateOr(builder.CreateZExt(counter, builder.getInt64Ty()), builder.CreateShl(outcome, 3));
  Value* next = builder.CreateLShr(builder.getInt64(steps), shift);
  builder.CreateStore(builder.CreateTrunc(builder.CreateAnd(next, state_mask), builder.getInt8Ty()), place);
  push_if(builder.CreateTrunc(next, builder.getInt1Ty()), *then, source, flush);
}

void Predictor::indirect(const Branch& branch, std::uint32_t source, const Flush& flush) {
  std::uint8_t number = 0;
  for (BasicBlock* edge : split_edges(*cast<SwitchInst>(branch.terminator))) {
    IRBuilder<> builder(edge->getTerminator());
    expect(branch, builder.getInt8(number++), *edge->getTerminator(), source, flush, builder.getFalse());
  }
}

void Predictor::loop_exit(const LoopExit& exit, Value* iterations, Instruction& at, std::uint32_t source,
                          const Flush& flush) {
  IRBuilder<> builder(&at);
  if (exit.never_predicted) return push_if(nullptr, at, source, flush);
  Value* most = builder.getInt64(longest_counted_loop + 1);
  Value* count = builder.CreateBinaryIntrinsic(Intrinsic::umin, iterations, most);
  expect(exit.branch, builder.CreateTrunc(count, builder.getInt8Ty()), at, source, flush,
         builder.CreateICmpEQ(count, most));
}

/// The branch's byte holds what is expected: this was the last time. Anything else is a misprediction.
void Predictor::expect(const Branch& branch, Value* byte, Instruction& at, std::uint32_t source, const Flush& flush,
                       Value* wrong_anyway) {
  IRBuilder<> builder(&at);
  Value* place =
      byte_at(builder, locals.field(builder, field_predictor), builder.getInt64(predictor_slots + branch.slot));
  Value* other = builder.CreateICmpNE(builder.CreateLoad(builder.getInt8Ty(), place), byte);
  builder.CreateStore(byte, place);
  push_if(builder.CreateOr(other, wrong_anyway), at, source, flush);
}

/// `wrong` null: always.
void Predictor::push_if(Value* wrong, Instruction& at, std::uint32_t source, const Flush& flush) {
  Instruction* then = wrong ? insert_if_unlikely(wrong, at) : &at;
  IRBuilder<> builder(then);
  locals.add(builder, field_mispredictions, builder.getInt64(1));
  pusher.push_branch(*then, source, flush);
}

}  // namespace lbhm::compiler
