// Executions of blocks by power laws through earlier instances.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "model/power_law.h"
#include "model/task_input.h"

namespace lbhm::model {

/// Block counts are exact, but power laws are not. Assumption, as of AlphaRefinement.
inline constexpr double blocks_repeatability = 0.02;

/// Earlier instances as the blocks of a task are fitted to them: the logarithms of sizes are the same for all blocks.
class SeenBlocks {
 public:
  explicit SeenBlocks(const TaskInput& of) : input(of) {
    if (input.seen.empty()) return;
    std::set<std::vector<Bytes>> known;
    std::vector<Bytes> sizes;
    for (std::size_t slot = 0; slot < input.now.size(); ++slot) {
      if (at(input.tasks, slot) == 0 || input.now[slot].value == 0) continue;
      sizes.assign(1, input.now[slot]);
      for (const BlockInstance& instance : input.seen) sizes.push_back(at(instance.sizes, slot));
      const bool same = std::all_of(sizes.begin() + 1, sizes.end(), [&](Bytes size) { return size == sizes[1]; });
      // Objects that grow alike (the rows, columns and values of a matrix) say the same, but for a constant.
      if (!same && known.insert(sizes).second) objects.push_back(growing(sizes));
    }
  }

  /// The power law of the object whose size explains the counts of the block best. Nothing if no size changed.
  std::optional<double> expected(std::size_t block) {
    const bool executed = std::ranges::any_of(input.seen, [&](const auto& seen) { return at(seen.blocks, block) > 0; });
    if (objects.empty() || !executed) return std::nullopt;  // most of a program's blocks are not part of this task
    log_counts.clear();
    for (const BlockInstance& instance : input.seen) {
      const double count = at(instance.blocks, block);
      log_counts.push_back(count > 0 ? std::log(count) : none);
    }
    std::optional<PowerLaw> best;
    double log_expected = 0;
    for (const Growing& object : objects) {
      if (!take_points(object)) continue;
      const PowerLaw law = fit_power_law(points);
      if (best && best->cost <= law.cost) continue;
      best = law;
      log_expected = law.log_at(object.log_now);
    }
    return best ? std::optional(amount(std::exp(log_expected))) : std::nullopt;
  }

 private:
  struct Growing {
    double log_now;
    std::vector<double> log_sizes;  ///< by instance
  };
  static constexpr double none = -1;  ///< the logarithm of nothing; that of 1 is 0

  /// `sizes`: now, then by instance.
  static Growing growing(std::span<const Bytes> sizes) {
    Growing object{.log_now = std::log(static_cast<double>(sizes.front().value)), .log_sizes = {}};
    for (const Bytes size : sizes.subspan(1))
      object.log_sizes.push_back(size.value == 0 ? none : std::log(static_cast<double>(size.value)));
    return object;
  }

  /// False if the object had one size only where the block was executed.
  bool take_points(const Growing& object) {
    constexpr double weight = 1 / (blocks_repeatability * blocks_repeatability);
    points.clear();
    bool same = true;
    for (std::size_t i = 0; i < log_counts.size(); ++i) {
      if (log_counts[i] == none || object.log_sizes[i] == none) continue;
      points.push_back({object.log_sizes[i], log_counts[i], weight});
      same = same && points.back().x == points.front().x;
    }
    return !same;
  }

  const TaskInput& input;
  std::vector<Growing> objects;
  // Of the block that is looked at, kept for their memory.
  std::vector<double> log_counts;
  std::vector<LogPoint> points;
};

}  // namespace lbhm::model
