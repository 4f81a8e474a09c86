// Laws that executions of a block may follow, guessed from the base instance alone (docs/model.md: a rule of thumb).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "model/task_input.h"

namespace lbhm::model {

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
