// Time of a task from its basic blocks: section 5.2 of the paper.
//
// Executions of basic blocks on a new input. The paper's rule (section 5.2) and ours, which lets each block follow the
// size of one object. Ours is a rule of thumb until instances of different sizes were seen (docs/model.md).
#include <algorithm>
#include <cmath>
#include <optional>

#include "model/block_laws.h"
#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

bool timed(const BlockFacts& block) {
  return std::isfinite(block.slow.value) && std::isfinite(block.fast.value) && block.slow.value >= 0 &&
         block.fast.value >= 0;
}

/// Our rule, for the blocks of one task. What only some of its blocks need is made when the first of them comes.
class BySizes {
 public:
  explicit BySizes(const TaskInput& of) : input(of), seen(of) {
    for (std::size_t slot = 0; slot < std::min(input.base.size(), input.now.size()); ++slot)
      changed = changed || (model::at(input.tasks, slot) != 0 && input.base[slot] != input.now[slot]);
  }

  double predicted(double count, std::size_t block) {
    if (const auto expected = seen.expected(block)) return *expected;  // (1)
    if (count <= 0) return 0;
    if (!changed) return count;  // every law and every mean of ratios is 1
    if (!known_laws) known_laws.emplace(input);
    if (const auto growth = known_laws->growth_of_match(count)) return model::amount(count * *growth);  // (2)
    if (!mean)
      mean =
          model::growth_of_task(input.base, input.now, [&](std::size_t slot) { return model::at(input.tasks, slot); });
    return model::amount(count * *mean);  // (3)
  }

 private:
  const TaskInput& input;
  model::SeenBlocks seen;
  bool changed = false;
  std::optional<model::Laws> known_laws;
  std::optional<double> mean;
};

/// The paper's.
class ByCosine {
 public:
  explicit ByCosine(const TaskInput& input) : similarity(cosine_similarity(input.base, input.now)) {}
  double predicted(double count, std::size_t) const { return count * similarity; }

 private:
  double similarity;
};

template <class Rule>
std::vector<double> predict(std::span<const double> base_blocks, std::span<const BlockFacts> facts, Rule rule) {
  std::vector<double> predicted;
  predicted.reserve(base_blocks.size());
  for (std::size_t block = 0; block < base_blocks.size(); ++block) {
    const double count = model::amount(base_blocks[block]);
    const bool constant = block < facts.size() && facts[block].input_independent;
    predicted.push_back(constant ? count : rule.predicted(count, block));
  }
  return predicted;
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

std::vector<double> predicted_blocks(std::span<const double> base_blocks, std::span<const BlockFacts> facts,
                                     const TaskInput& input, InputScaling scaling) {
  if (scaling == InputScaling::cosine) return predict(base_blocks, facts, ByCosine(input));
  return predict(base_blocks, facts, BySizes(input));
}

}  // namespace lbhm
