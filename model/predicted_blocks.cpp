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

/// Earlier instances as the blocks of a task are fitted to them: the logarithms of sizes are the same for all blocks.
class Seen {
 public:
  explicit Seen(const TaskInput& of) : input(of) {
    for (std::size_t slot = 0; slot < input.now.size(); ++slot) {
      if (at(input.tasks, slot) == 0 || input.now[slot].value == 0) continue;
      Growing object{.log_now = std::log(static_cast<double>(input.now[slot].value)), .log_sizes = {}};
      for (const BlockInstance& instance : input.seen) {
        const Bytes size = at(instance.sizes, slot);
        object.log_sizes.push_back(size.value == 0 ? none : std::log(static_cast<double>(size.value)));
      }
      const bool same = std::ranges::all_of(object.log_sizes, [&](double x) { return x == object.log_sizes.front(); });
      if (!same && !known(object)) objects.push_back(std::move(object));
    }
  }

  /// (1) The power law of the object whose size explains the counts of the block best. Nothing if no size changed.
  std::optional<double> expected(std::size_t block) const {
    const bool executed = std::ranges::any_of(input.seen, [&](const auto& seen) { return at(seen.blocks, block) > 0; });
    if (objects.empty() || !executed) return std::nullopt;  // most of a program's blocks are not part of this task
    std::vector<double> log_counts;
    for (const BlockInstance& instance : input.seen) {
      const double count = at(instance.blocks, block);
      log_counts.push_back(count > 0 ? std::log(count) : none);
    }
    std::optional<model::PowerLaw> best;
    double log_expected = 0;
    for (const Growing& object : objects) {
      const auto points = points_of(object, log_counts);
      if (points.empty()) continue;
      const model::PowerLaw law = model::fit_power_law(points);
      if (best && best->cost <= law.cost) continue;
      best = law;
      log_expected = law.log_at(object.log_now);
    }
    return best ? std::optional(model::amount(std::exp(log_expected))) : std::nullopt;
  }

 private:
  struct Growing {
    double log_now;
    std::vector<double> log_sizes;  ///< by instance
  };
  static constexpr double none = -1;  ///< the logarithm of nothing; that of 1 is 0

  /// Objects that grow alike (the rows, columns and values of a matrix) say the same, but for a constant.
  bool known(const Growing& object) const {
    return std::ranges::any_of(objects, [&](const Growing& other) {
      return object.log_now == other.log_now && object.log_sizes == other.log_sizes;
    });
  }

  /// Empty if the object had one size only where the block was executed.
  static std::vector<model::LogPoint> points_of(const Growing& object, std::span<const double> log_counts) {
    constexpr double weight = 1 / (repeatability * repeatability);
    std::vector<model::LogPoint> points;
    for (std::size_t i = 0; i < log_counts.size(); ++i) {
      if (log_counts[i] != none && object.log_sizes[i] != none)
        points.push_back({object.log_sizes[i], log_counts[i], weight});
    }
    const bool same = std::ranges::all_of(points, [&](const auto& point) { return point.x == points.front().x; });
    if (same) points.clear();
    return points;
  }

  const TaskInput& input;
  std::vector<Growing> objects;
};

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

double by_sizes(double count, std::size_t block, const TaskInput& input, const Seen& seen) {
  if (const auto expected = seen.expected(block)) return *expected;
  if (count <= 0) return 0;
  if (const auto growth = growth_of_match(count, input)) return model::amount(count * *growth);
  const double growth =
      model::growth_of_task(input.base, input.now, [&](std::size_t slot) { return at(input.tasks, slot); });  // (3)
  return model::amount(count * growth);
}

}  // namespace

std::vector<double> predicted_blocks(std::span<const double> base_blocks, std::span<const BlockFacts> facts,
                                     const TaskInput& input, InputScaling scaling) {
  const Seen seen(input);
  const double similarity = cosine_similarity(input.base, input.now);
  std::vector<double> predicted;
  for (std::size_t block = 0; block < base_blocks.size(); ++block) {
    const double count = model::amount(base_blocks[block]);
    if (block < facts.size() && facts[block].input_independent) {
      predicted.push_back(count);
    } else if (scaling == InputScaling::cosine) {
      predicted.push_back(count * similarity);
    } else {
      predicted.push_back(by_sizes(count, block, input, seen));
    }
  }
  return predicted;
}

}  // namespace lbhm
