// Executions of basic blocks on a new input. The paper's rule (section 5.2) and ours, which lets each block follow the
// size of one object. Ours is a rule of thumb until instances of different sizes were seen (docs/model.md).
#include <algorithm>
#include <cmath>
#include <utility>

#include "lbhm/model.h"
#include "model/bounded.h"
#include "model/growth.h"
#include "model/power_law.h"

namespace lbhm {
namespace {

/// How executions may depend on the number of elements of an object: a walk over one side of a square, over the object,
/// a sort, a product of square matrices, all pairs.
constexpr double (*laws[])(double){
    [](double n) { return std::sqrt(n); },
    [](double n) { return n; },
    [](double n) { return n * std::log2(n); },
    [](double n) { return n * std::sqrt(n); },
    [](double n) { return n * n; },
};
/// One execution does this many steps of a loop: unrolled or vectorised by the compiler. 2 is also the half of all
/// pairs that a triangular loop visits.
constexpr double steps[] = {1, 2, 4, 8, 16};
/// "About as often": edges that loops leave out, and a last incomplete round.
constexpr double tolerance = 0.05;
/// Fewer elements fit any law.
constexpr double fewest_elements = 16;
/// Block counts are exact, but power laws are not. Assumption, as of AlphaRefinement.
constexpr double repeatability = 0.02;

double at(std::span<const double> values, std::size_t i) { return i < values.size() ? model::amount(values[i]) : 0; }
Bytes at(std::span<const Bytes> values, std::size_t i) { return i < values.size() ? values[i] : Bytes(0); }

double elements(const TaskInput& input, std::size_t slot, std::span<const Bytes> sizes) {
  const Bytes element = at(input.elements, slot);
  return at(sizes, slot) / (element.value > 0 ? element : Bytes(8));
}

/// Counts of block `block` in earlier instances over the sizes of one object. Empty if it had one size only.
std::vector<model::LogPoint> points_of(const TaskInput& input, std::size_t slot, std::size_t block) {
  std::vector<model::LogPoint> points;
  for (const BlockInstance& instance : input.seen) {
    const Bytes size = at(instance.sizes, slot);
    const double count = at(instance.blocks, block);
    if (size.value == 0 || count <= 0) continue;
    const double weight = 1 / (repeatability * repeatability);
    points.push_back({std::log(static_cast<double>(size.value)), std::log(count), weight});
  }
  const bool same = std::ranges::all_of(points, [&](const auto& point) { return point.x == points.front().x; });
  if (same) points.clear();
  return points;
}

/// (1) The power law of the object whose size explains what was seen best.
std::optional<double> from_instances(const TaskInput& input, std::size_t block) {
  std::optional<model::PowerLaw> best;
  double expected = 0;
  for (std::size_t slot = 0; slot < input.now.size(); ++slot) {
    if (at(input.tasks, slot) == 0 || input.now[slot].value == 0) continue;
    const auto points = points_of(input, slot, block);
    if (points.empty()) continue;
    const model::PowerLaw law = model::fit_power_law(points);
    if (best && best->cost <= law.cost) continue;
    best = law;
    expected = model::amount(std::exp(law.log_at(std::log(static_cast<double>(input.now[slot].value)))));
  }
  return best ? std::optional(expected) : std::nullopt;
}

/// (2) The growth of the law that comes closest to the base count. An object that several tasks share is divided
/// between them.
std::optional<double> growth_of_match(double count, const TaskInput& input) {
  double nearest = tolerance;
  std::optional<double> growth;
  for (std::size_t slot = 0; slot < std::min(input.base.size(), input.now.size()); ++slot) {
    const double before = elements(input, slot, input.base), after = elements(input, slot, input.now);
    const double tasks = at(input.tasks, slot);
    if (tasks == 0 || before < fewest_elements || after < 1) continue;
    for (const auto law : laws) {
      for (const double step : steps) {
        const double off = std::abs(std::log(count * step * tasks / law(before)));
        if (off >= nearest) continue;
        nearest = off;
        growth = law(after) / law(before);
      }
    }
  }
  return growth;
}

double by_sizes(double count, std::size_t block, const TaskInput& input) {
  if (const auto seen = from_instances(input, block)) return *seen;
  if (count <= 0) return 0;
  if (const auto growth = growth_of_match(count, input)) return model::amount(count * *growth);
  const double growth =
      model::growth_of_task(input.base, input.now, [&](std::size_t slot) { return at(input.tasks, slot); });  // (3)
  return model::amount(count * growth);
}

}  // namespace

std::vector<double> predicted_blocks(std::span<const double> base_blocks, std::span<const BlockFacts> facts,
                                     const TaskInput& input, InputScaling scaling) {
  const double similarity = cosine_similarity(input.base, input.now);
  std::vector<double> predicted;
  for (std::size_t block = 0; block < base_blocks.size(); ++block) {
    const double count = model::amount(base_blocks[block]);
    if (block < facts.size() && facts[block].input_independent) {
      predicted.push_back(count);
    } else if (scaling == InputScaling::cosine) {
      predicted.push_back(count * similarity);
    } else {
      predicted.push_back(by_sizes(count, block, input));
    }
  }
  return predicted;
}

}  // namespace lbhm
