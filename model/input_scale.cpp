// How much longer a task takes on a new input: section 5.2 of the paper. It scales block counts by the cosine
// similarity of the vectors of object sizes, which cannot see that one input is larger than another of the same shape
// (their similarity is 1). Ours looks at power laws of sizes. docs/model.md compares the two.
//
// Cosine similarity of two inputs, section 5.2 of the paper.
#include <algorithm>
#include <cmath>

#include "model/block_laws.h"
#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

/// [task][slot]: how many tasks access the object; 0 if this one does not.
std::vector<std::vector<double>> tasks_by_slot(const PhaseProfile& profile) {
  const std::size_t slots = profile.object_bytes.size();
  std::vector<std::vector<double>> used(profile.tasks.size(), std::vector<double>(slots));
  std::vector<double> tasks(slots);
  for (std::size_t task = 0; task < used.size(); ++task) {
    const std::vector<PageCount>& pages = profile.tasks[task].pages;
    for (std::size_t i = 0; i < pages.size(); i = model::slot_end(pages, i)) {
      if (pages[i].slot.value < slots) used[task][pages[i].slot.value] = 1;
    }
    for (std::size_t slot = 0; slot < slots; ++slot) tasks[slot] += used[task][slot];
  }
  for (auto& of_task : used) {
    for (std::size_t slot = 0; slot < slots; ++slot) of_task[slot] *= tasks[slot];
  }
  return used;
}

/// Instructions executed, or blocks, if it is not known how many instructions they have.
double work(std::span<const double> blocks, std::span<const BlockFacts> facts) {
  double instructions = 0, executions = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const double count = model::amount(blocks[i]);
    executions += count;
    if (i < facts.size()) instructions += count * model::amount(facts[i].instructions);
  }
  return instructions > 0 ? instructions : executions;
}

InputScale scale_of_blocks(std::span<const double> before, std::span<const double> after,
                           std::span<const BlockFacts> facts) {
  const auto base = block_time(before, facts), now = block_time(after, facts);
  if (base && now && base->slow_only.value > 0 && base->fast_only.value > 0) {
    return {model::factor(now->slow_only / base->slow_only), model::factor(now->fast_only / base->fast_only)};
  }
  const double growth = model::factor(work(after, facts) / work(before, facts));
  return {growth, growth};
}

double growth_without_blocks(std::span<const Bytes> base, std::span<const Bytes> now, std::span<const double> tasks,
                             InputScaling scaling) {
  if (scaling == InputScaling::cosine) return cosine_similarity(base, now);
  return model::growth_of_task(base, now, [&](std::size_t slot) { return tasks[slot]; });
}

}  // namespace

std::vector<double> input_scales(const PhaseProfile& profile, std::span<const Bytes> now) {
  std::vector<double> scales;
  for (const auto& tasks : tasks_by_slot(profile)) {
    scales.push_back(growth_without_blocks(profile.object_bytes, now, tasks, InputScaling::sizes));
  }
  return scales;
}

std::vector<InputScale> input_scales(const PhaseProfile& profile, std::span<const Bytes> now,
                                     const BlockKnowledge& blocks, InputScaling scaling) {
  const auto tasks = tasks_by_slot(profile);
  std::vector<InputScale> scales;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::span<const double> counts = profile.tasks[i].blocks;
    if (work(counts, blocks.facts) > 0) {
      TaskInput input{
          .base = profile.object_bytes, .now = now, .elements = blocks.elements, .tasks = tasks[i], .seen = {}};
      if (i < blocks.seen.size()) input.seen = blocks.seen[i];
      scales.push_back(scale_of_blocks(counts, predicted_blocks(counts, blocks.facts, input, scaling), blocks.facts));
    } else {
      const double growth = growth_without_blocks(profile.object_bytes, now, tasks[i], scaling);
      scales.push_back({growth, growth});
    }
  }
  return scales;
}

HomogeneousTimes scaled(const HomogeneousTimes& base, const InputScale& scale) {
  return {Nanoseconds(model::amount(base.slow_only.value) * model::factor(scale.slow)),
          Nanoseconds(model::amount(base.fast_only.value) * model::factor(scale.fast)), base.bandwidth_bound};
}

double cosine_similarity(std::span<const Bytes> base, std::span<const Bytes> now) {
  const auto at = [](std::span<const Bytes> sizes, std::size_t slot) {
    return slot < sizes.size() ? static_cast<double>(sizes[slot].value) : 0;
  };
  double product = 0, base_square = 0, now_square = 0;
  for (std::size_t slot = 0; slot < std::max(base.size(), now.size()); ++slot) {
    const double a = at(base, slot), b = at(now, slot);
    product += a * b;
    base_square += a * a;
    now_square += b * b;
  }
  if (base_square == 0 || now_square == 0) return 1;
  return model::share(product / std::sqrt(base_square) / std::sqrt(now_square));
}

}  // namespace lbhm
