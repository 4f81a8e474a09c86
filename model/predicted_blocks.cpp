// Executions of basic blocks on a new input. The paper's rule (section 5.2) and ours, which lets each block follow the
// size of one object. Ours is a rule of thumb until instances of different sizes were seen (docs/model.md).
#include <algorithm>
#include <optional>

#include "model/block_laws.h"
#include "model/bounded.h"
#include "model/growth.h"
#include "model/model.h"
#include "model/seen_blocks.h"

namespace lbhm {
namespace {

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

std::vector<double> predicted_blocks(std::span<const double> base_blocks, std::span<const BlockFacts> facts,
                                     const TaskInput& input, InputScaling scaling) {
  if (scaling == InputScaling::cosine) return predict(base_blocks, facts, ByCosine(input));
  return predict(base_blocks, facts, BySizes(input));
}

}  // namespace lbhm
