#include "compiler/counters.h"

#include <algorithm>
#include <optional>

namespace lbhm::compiler {
namespace {

using namespace llvm;

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

}  // namespace

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

}  // namespace lbhm::compiler
