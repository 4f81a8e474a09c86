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
#include <set>
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

struct PowerLaw {
  double x = 0, y = 0;  ///< logarithms of the middle of the points
  double exponent = prior_exponent;
  double cost = 0;  ///< what the exponent leaves unexplained, and how surprising it is itself

  double log_at(double log_x) const { return y + exponent * (log_x - x); }
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
  law.x /= weights;
  law.y /= weights;
  double xx = 0, xy = 0, yy = 0;
  for (const LogPoint& point : points) {
    xx += point.weight * (point.x - law.x) * (point.x - law.x);
    xy += point.weight * (point.x - law.x) * (point.y - law.y);
    yy += point.weight * (point.y - law.y) * (point.y - law.y);
  }
  const double p = (xy + prior_exponent / prior_variance) / (xx + 1 / prior_variance);
  law.exponent = std::clamp(p, least_exponent, largest_exponent);
  const double surprise = law.exponent - prior_exponent;
  law.cost = yy - 2 * law.exponent * xy + law.exponent * law.exponent * xx + surprise * surprise / prior_variance;
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

/// The laws that a count may follow. An object that several tasks share is divided between them.
class Laws {
 public:
  explicit Laws(const TaskInput& input) {
    for (std::size_t slot = 0; slot < std::min(input.base.size(), input.now.size()); ++slot) {
      const double before = elements(input, slot, input.base), after = elements(input, slot, input.now);
      const double tasks = at(input.tasks, slot);
      if (tasks == 0 || before < fewest_elements || after < 1) continue;
      for (const auto law : laws)
        candidates.push_back({law(before), tasks, law(after) / law(before), candidates.size()});
    }
    std::ranges::sort(candidates, {}, [](const Candidate& c) { return std::pair(c.executions(), c.order); });
    const auto rest = std::ranges::unique(candidates, &Candidate::says_the_same);
    candidates.erase(rest.begin(), rest.end());
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
    std::size_t order;  ///< of slots and laws

    double executions() const { return law / tasks; }
    /// Objects of one size do.
    static bool says_the_same(const Candidate& a, const Candidate& b) {
      return a.law == b.law && a.tasks == b.tasks && a.growth == b.growth;
    }
  };
  std::vector<Candidate> candidates;
};

}  // namespace lbhm::model
