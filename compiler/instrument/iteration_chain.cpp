#include "compiler/instrument/iteration_chain.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/instrument/instruction_cost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopIterator.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Loops with more phi nodes are not looked at; in those from C and C++ registers would run out.
constexpr std::size_t most_phis = 32;
/// Cycles through more phi nodes than this are not followed.
constexpr unsigned longest_cycle = 4;

/// Cycles, and among them floating-point additions; of equally long paths the one with fewer of these is the longer one
/// on a processor that adds faster.
struct Path {
  std::uint64_t cycles = 0;
  std::uint64_t additions = 0;

  bool operator<(const Path& other) const {
    return cycles != other.cycles ? cycles < other.cycles : additions > other.additions;
  }
  Path operator+(const Path& other) const { return {cycles + other.cycles, additions + other.additions}; }
};

/// From one phi node's value to another's next value; nothing: it does not depend on it.
using Distance = std::optional<Path>;
using Distances = std::vector<std::vector<Distance>>;

Distance longer(Distance left, Distance right) { return !left || (right && *left < *right) ? right : left; }

class Chains {
 public:
  Chains(const Loop& of, const CostModel& with) : loop(of), model(with), order(const_cast<Loop*>(&of)) {
    for (PHINode& phi : loop.getHeader()->phis()) phis.push_back(&phi);
    order.perform(&model.loops());
  }

  Chain longest() {
    const BasicBlock* latch = loop.getLoopLatch();
    if (!latch || phis.size() > most_phis) return {};
    Distances step;
    for (const PHINode* phi : phis) step.push_back(distances_from(*phi, *latch));
    Chain best;
    Distances walk = step;
    for (unsigned length = 1; length <= longest_cycle; ++length, walk = combine(walk, step)) {
      for (std::size_t at = 0; at < phis.size(); ++at) {
        Distance round = walk[at][at];
        if (round && round->cycles / length > best.cycles)
          best = {round->cycles / length, round->additions / length, goes_on(*phis[at])};
      }
    }
    return best;
  }

 private:
  /// Longest paths through one iteration, in its order. Only what runs in every iteration takes time: a branch around
  /// an operation is predicted, and then nothing waits for it.
  std::vector<Distance> distances_from(const PHINode& start, const BasicBlock& latch) const {
    DenseMap<const Value*, Distance> reached{{&start, Path{}}};
    for (BasicBlock* block : make_range(order.beginRPO(), order.endRPO())) {
      bool always = model.dominators().dominates(block, &latch);
      for (Instruction& instruction : *block) {
        if (isa<PHINode>(instruction) && block == loop.getHeader()) continue;
        Distance longest;
        for (const Use& operand : instruction.operands()) {
          if (Distance before = reached.lookup(operand.get()))
            longest = longer(longest, *before + (always ? step(operand) : Path{}));
        }
        if (longest) reached[&instruction] = longest;
      }
    }
    std::vector<Distance> to;
    for (const PHINode* phi : phis) to.push_back(reached.lookup(phi->getIncomingValueForBlock(&latch)));
    return to;
  }

  Path step(const Use& operand) const {
    std::uint64_t cycles = model.latency(operand);
    bool adds = cycles == addition_latency && model.is_addition(operand);
    return {cycles, adds ? 1U : 0U};
  }

  Distances combine(const Distances& first, const Distances& second) const {
    Distances both(phis.size(), std::vector<Distance>(phis.size()));
    for (std::size_t from = 0; from < phis.size(); ++from) {
      for (std::size_t over = 0; over < phis.size(); ++over) {
        Distance there = first[from][over];
        for (std::size_t to = 0; to < phis.size(); ++to) {
          Distance on = second[over][to];
          if (there && on) both[from][to] = longer(both[from][to], *there + *on);
        }
      }
    }
    return both;
  }

  /// Whether the phi node's first value comes from a phi node of the loop around, whose next value comes from this
  /// loop.
  bool goes_on(const PHINode& phi) const {
    const Loop* around = loop.getParentLoop();
    if (!around || !around->getLoopLatch()) return false;
    SmallVector<const Value*, 4> first;
    for (const BasicBlock* from : phi.blocks()) {
      if (!loop.contains(from)) first.push_back(phi.getIncomingValueForBlock(from));
    }
    for (const Value* value : inputs_of(first, *around)) {
      const auto* outer = dyn_cast<PHINode>(value);
      if (!outer || outer->getParent() != around->getHeader()) continue;
      auto next = inputs_of({outer->getIncomingValueForBlock(around->getLoopLatch())}, *around);
      if (next.contains(&phi)) return true;
    }
    return false;
  }

  /// All that the values are computed from within one iteration of the loop.
  static SmallSetVector<const Value*, 32> inputs_of(ArrayRef<const Value*> values, const Loop& within) {
    SmallSetVector<const Value*, 32> all(values.begin(), values.end());
    for (unsigned at = 0; at < all.size(); ++at) {
      const auto* instruction = dyn_cast<Instruction>(all[at]);
      if (!instruction || !within.contains(instruction)) continue;
      if (isa<PHINode>(instruction) && instruction->getParent() == within.getHeader()) continue;
      for (const Use& operand : instruction->operands()) all.insert(operand.get());
    }
    return all;
  }

  const Loop& loop;
  const CostModel& model;
  LoopBlocksDFS order;
  SmallVector<PHINode*, 8> phis;
};

}  // namespace

Chain longest_chain(const Loop& loop, const CostModel& model) { return Chains(loop, model).longest(); }

}  // namespace lbhm::compiler
