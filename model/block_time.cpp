// Time of a task from its basic blocks: section 5.2 of the paper.
#include <cmath>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

bool timed(const BlockFacts& block) {
  return std::isfinite(block.slow.value) && std::isfinite(block.fast.value) && block.slow.value >= 0 &&
         block.fast.value >= 0;
}

}  // namespace

std::optional<HomogeneousTimes> block_time(std::span<const double> blocks, std::span<const BlockFacts> facts) {
  double slow = 0, fast = 0, known = 0, all = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockFacts block = i < facts.size() ? facts[i] : BlockFacts{};
    const double count = model::amount(blocks[i]);
    const double work = count * (block.instructions > 0 ? model::amount(block.instructions) : 1);
    all += work;
    if (!timed(block)) continue;
    known += work;
    slow += count * block.slow.value;
    fast += count * block.fast.value;
  }
  if (!(known > 0) || known < all / 2) return std::nullopt;
  const double rest = all / known;  // blocks whose time is not known take as long an instruction as the others
  return HomogeneousTimes{Nanoseconds(model::amount(slow * rest)), Nanoseconds(model::amount(fast * rest)), 0};
}

HomogeneousTimes with_block_times(HomogeneousTimes derived, std::span<const double> blocks,
                                  std::span<const BlockFacts> facts) {
  const auto measured = block_time(blocks, facts);
  if (!measured || !(measured->slow_only.value > 0) || !(measured->fast_only.value > 0)) return derived;
  derived.fast_only = Nanoseconds(model::amount(derived.slow_only.value * (measured->fast_only / measured->slow_only)));
  return derived;
}

}  // namespace lbhm
