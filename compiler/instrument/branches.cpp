#include "compiler/instrument/branches.h"

#include "llvm/Support/xxhash.h"

namespace lbhm::compiler {

using namespace llvm;

std::uint32_t BranchSorter::next_slot() {
  std::uint64_t hash = xxh3_64bits((function.getName() + "?" + Twine(seen++)).str());
  return static_cast<std::uint32_t>(hash % predictor_slots);
}

bool BranchSorter::add(Instruction& terminator) {
  auto* branch = dyn_cast<BranchInst>(&terminator);
  auto* choice = dyn_cast<SwitchInst>(&terminator);
  if (!choice && !(branch && branch->isConditional())) return false;
  Value* condition = choice ? choice->getCondition() : branch->getCondition();
  Branch made{&terminator, next_slot(), dependences.source_of(*condition, terminator)};
  if (choice)
    sorted.switches.push_back(made);
  else if (branch->getSuccessor(0) != branch->getSuccessor(1))
    add_conditional(*branch, made);
  return true;
}

void BranchSorter::add_select(Instruction& select) {
  Value* condition = isa<SelectInst>(select) ? select.getOperand(0) : &select;
  sorted.conditional.push_back(
      {select.getParent()->getTerminator(), next_slot(), dependences.source_of(*condition, select), &select});
}

void BranchSorter::add_conditional(BranchInst& branch, const Branch& with) {
  const Loop* loop = loops.getLoopFor(branch.getParent());
  for (unsigned successor : {0U, 1U}) {
    if (!loop || loop->contains(branch.getSuccessor(successor)) || depends_on_what_it_reads(with)) continue;
    return add_exit({with, successor, loop, false});
  }
  sorted.conditional.push_back(with);
}

bool BranchSorter::depends_on_what_it_reads(const Branch& branch) const {
  return branch.condition_from && dependences.varies_around(*branch.condition_from, *branch.terminator);
}

void BranchSorter::add_exit(const LoopExit& exit) {
  unsigned iterations = 0;
  if (exit.loop->getExitingBlock()) iterations = evolution.getSmallConstantTripCount(exit.loop);
  if (iterations != 0 && iterations <= longest_counted_loop) return;  // always predicted
  sorted.exits.push_back(exit);
  sorted.exits.back().never_predicted = iterations != 0;
}

}  // namespace lbhm::compiler
