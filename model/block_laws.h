// A power law y = a x^p through points, by weighted least squares of the logarithms.
//
// By how much the objects of a task grew.
//
// Executions of blocks by power laws through earlier instances.
//
// Laws that executions of a block may follow, guessed from the base instance alone (docs/model.md: a rule of thumb).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/bounded.h"
#include "runtime/base/units.h"

namespace lbhm::model {

struct LogPoint {
  double x, y;    ///< logarithms
  double weight;  ///< inverse variance of y
};

/// Work and accesses do not shrink when their object grows, and nothing that is worth placing grows faster than N^3.
inline constexpr double least_exponent = 0, largest_exponent = 3;
/// Before anything is seen p is 1, "in proportion to the size" (Eq. 1), give or take 1: linear and quadratic growth are
/// not surprising. An assumption, which two instances outweigh unless their sizes or counts hardly differ.
inline constexpr double prior_exponent = 1, prior_variance = 1;

/// ln 4: how far beyond the sizes seen a fitted exponent holds. docs/model.md has measured laws from a quarter of a
/// size to four times that. Two instances of nearly one size can say any exponent, and a hundredfold size makes any
/// error of it.
inline constexpr double farthest = 1.3862943611198906;

struct PowerLaw {
  double x = 0, y = 0;  ///< logarithms of the middle of the points
  double exponent = prior_exponent;
  double least = 0, most = 0;  ///< logarithms of the sizes between which the exponent holds

  /// Beyond them growth is that of Eq. 1.
  double log_at(double log_x) const {
    const double within = std::clamp(log_x, least, most);
    return y + exponent * (within - x) + prior_exponent * (log_x - within);
  }
};

/// The exponent is the most probable one, given the points and the prior. Weights must not all be 0.
inline PowerLaw fit_power_law(std::span<const LogPoint> points) {
  double weights = 0;
  PowerLaw law;
  for (const LogPoint& point : points) {
    weights += point.weight;
    law.x += point.weight * point.x;
    law.y += point.weight * point.y;
  }
  const auto [least, most] = std::ranges::minmax(points, {}, &LogPoint::x);
  law.least = least.x - farthest;
  law.most = most.x + farthest;
  law.x /= weights;
  law.y /= weights;
  double xx = 0, xy = 0;
  for (const LogPoint& point : points) {
    xx += point.weight * (point.x - law.x) * (point.x - law.x);
    xy += point.weight * (point.x - law.x) * (point.y - law.y);
  }
  const double p = (xy + prior_exponent / prior_variance) / (xx + 1 / prior_variance);
  law.exponent = std::clamp(p, least_exponent, largest_exponent);
  return law;
}

/// Geometric mean of S_new / S_base over the slots for which `counts(slot)` holds and whose size changed. A size of 0
/// says nothing.
template <class Counts>
std::optional<double> mean_growth(std::span<const Bytes> base, std::span<const Bytes> now, Counts counts) {
  double logarithms = 0;
  std::size_t changed = 0;
  for (std::size_t slot = 0; slot < base.size() && slot < now.size(); ++slot) {
    if (!counts(slot) || base[slot] == now[slot] || base[slot].value == 0 || now[slot].value == 0) continue;
    logarithms += std::log(now[slot] / base[slot]);
    ++changed;
  }
  if (changed == 0) return std::nullopt;
  return std::exp(logarithms / static_cast<double>(changed));
}

/// The rule of input_scales: objects that only this task accesses, if one of them changed, else all that it accesses.
/// `tasks(slot)`: how many tasks access the object, 0 if this one does not.
template <class Tasks>
double growth_of_task(std::span<const Bytes> base, std::span<const Bytes> now, Tasks tasks) {
  const auto of_own = mean_growth(base, now, [&](std::size_t slot) { return tasks(slot) == 1; });
  const auto of_all = mean_growth(base, now, [&](std::size_t slot) { return tasks(slot) > 0; });
  return of_own.value_or(of_all.value_or(1));
}

/// Which object laws of growth are looked for in: of those whose size changed (`changes(slot)`) the largest one, an
/// object of several tasks divided between them. With every object a candidate, one of many matches by chance: tasks of
/// dmrg list 74. Nothing if none changed.
template <class Changes>
std::optional<std::size_t> largest_changing(std::span<const Bytes> sizes, std::span<const double> tasks,
                                            Changes changes) {
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t slot = 0; slot < std::min(sizes.size(), tasks.size()); ++slot) {
    if (!(tasks[slot] > 0)) continue;
    const double bytes = static_cast<double>(sizes[slot].value) / tasks[slot];
    if (bytes <= most || !changes(slot)) continue;
    most = bytes;
    best = slot;
  }
  return best;
}

/// Block counts are exact, but two inputs of one size are not the same work. Assumption: a tenth. So sizes that doubled
/// outweigh the prior 25 to 1, and sizes a tenth apart do not.
inline constexpr double blocks_repeatability = 0.1;

/// Earlier instances as the blocks of a task are fitted to them: the logarithms of sizes are the same for all blocks.
class SeenBlocks {
 public:
  explicit SeenBlocks(const TaskInput& of) : input(of) {
    if (input.seen.empty()) return;
    const auto changed = [&](std::size_t slot) {
      const Bytes first = at(input.seen.front().sizes, slot);
      return std::ranges::any_of(input.seen, [&](const auto& seen) { return at(seen.sizes, slot) != first; });
    };
    if (const auto slot = largest_changing(input.now, input.tasks, changed)) object = growing(*slot);
  }

  /// The power law of the task's largest object through the counts of the block. Nothing if no size changed.
  std::optional<double> expected(std::size_t block) {
    const bool executed = std::ranges::any_of(input.seen, [&](const auto& seen) { return at(seen.blocks, block) > 0; });
    if (!object || !executed) return std::nullopt;  // most of a program's blocks are not part of this task
    log_counts.clear();
    for (const BlockInstance& instance : input.seen) {
      const double count = at(instance.blocks, block);
      log_counts.push_back(count > 0 ? std::log(count) : none);
    }
    if (!take_points()) return std::nullopt;
    return amount(std::exp(fit_power_law(points).log_at(object->log_now)));
  }

 private:
  struct Growing {
    double log_now;
    std::vector<double> log_sizes;  ///< by instance
  };
  static constexpr double none = -1;  ///< the logarithm of nothing; that of 1 is 0

  Growing growing(std::size_t slot) const {
    Growing made{.log_now = std::log(static_cast<double>(input.now[slot].value)), .log_sizes = {}};
    for (const BlockInstance& instance : input.seen) {
      const Bytes size = at(instance.sizes, slot);
      made.log_sizes.push_back(size.value == 0 ? none : std::log(static_cast<double>(size.value)));
    }
    return made;
  }

  /// False if the object had one size only where the block was executed.
  bool take_points() {
    constexpr double weight = 1 / (blocks_repeatability * blocks_repeatability);
    points.clear();
    bool same = true;
    for (std::size_t i = 0; i < log_counts.size(); ++i) {
      if (log_counts[i] == none || object->log_sizes[i] == none) continue;
      points.push_back({object->log_sizes[i], log_counts[i], weight});
      same = same && points.back().x == points.front().x;
    }
    return !same;
  }

  const TaskInput& input;
  std::optional<Growing> object;
  // Of the block that is looked at, kept for their memory.
  std::vector<double> log_counts;
  std::vector<LogPoint> points;
};

/// How executions may depend on the number of elements of an object: a walk over one side of a square, over the object,
/// a sort, a product of square matrices, all pairs.
inline constexpr double (*laws[])(double){
    [](double n) { return std::sqrt(n); },
    [](double n) { return n; },
    [](double n) { return n * std::log2(n); },
    [](double n) { return n * std::sqrt(n); },
    [](double n) { return n * n; },
};
/// One execution does this many steps of a loop: unrolled or vectorised by the compiler. 2 is also the half of all
/// pairs that a triangular loop visits.
inline constexpr double steps[] = {1, 2, 4, 8, 16};
/// "About as often": edges that loops leave out, and a last incomplete round.
inline constexpr double tolerance = 0.05;
/// Fewer elements fit any law.
inline constexpr double fewest_elements = 16;

inline double elements(const TaskInput& input, std::size_t slot, std::span<const Bytes> sizes) {
  const Bytes element = at(input.elements, slot);
  return at(sizes, slot) / (element.value > 0 ? element : Bytes(8));
}

/// The laws that a count may follow, of the largest object. One that several tasks share is divided between them.
class Laws {
 public:
  explicit Laws(const TaskInput& input) {
    const auto changes = [&](std::size_t slot) { return input.base[slot] != at(input.now, slot); };
    const auto slot = largest_changing(input.base, input.tasks, changes);
    if (!slot) return;
    const double before = elements(input, *slot, input.base), after = elements(input, *slot, input.now);
    if (before < fewest_elements || after < 1) return;
    for (const auto law : laws)
      candidates.push_back({law(before), at(input.tasks, *slot), law(after) / law(before), candidates.size()});
    std::ranges::sort(candidates, {}, [](const Candidate& c) { return std::pair(c.executions(), c.order); });
  }

  /// The growth of the law that comes closest to the base count; of several the first one's. Nothing if none is close.
  std::optional<double> growth_of_match(double count) const {
    constexpr double window = 1.01 * tolerance;  // a little wider than what is looked at exactly
    double nearest = tolerance;
    const Candidate* best = nullptr;
    for (const double step : steps) {
      const double least = count * step * (1 - window), most = count * step * (1 + 1.1 * window);
      auto it = std::ranges::lower_bound(candidates, least, {}, &Candidate::executions);
      for (; it != candidates.end() && it->executions() <= most; ++it) {
        const double off = std::abs(std::log(count * step * it->tasks / it->law));
        const bool earlier = best && off == nearest && it->order < best->order;
        if (off >= nearest && !earlier) continue;
        nearest = off;
        best = &*it;
      }
    }
    return best ? std::optional(best->growth) : std::nullopt;
  }

 private:
  struct Candidate {
    double law, tasks, growth;
    std::size_t order;  ///< of laws

    double executions() const { return law / tasks; }
  };
  std::vector<Candidate> candidates;
};

}  // namespace lbhm::model
