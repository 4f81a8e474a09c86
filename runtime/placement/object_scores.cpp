#include "runtime/placement/object_scores.h"

#include <array>

namespace lbhm::placement {
namespace {

/// rank_objs_r of proc_obj_e.py: below 80 cycles there is memory-level parallelism. Objects with a large share of the
/// accesses of such a window count less by `factor`, those with a small share more.
struct Parallelism {
  double above;  ///< cycles
  double factor, small, large;
};
constexpr std::array parallelism{Parallelism{80, 1, 0, 1}, Parallelism{60, 2, 0.4, 0.6}, Parallelism{45, 4, 0.03, 0.7},
                                 Parallelism{40, 8, 0.03, 0.7}, Parallelism{-1, 12, 0.03, 0.7}};

/// Predicted slowdown of a window in slow memory: stalls a cycle over (24.67 / AOL + 0.87).
double slowdown(const ScoreWindow& window, double latency) {
  if (latency <= 0 || window.events.cycles <= 0) return 0;
  const double stalls = window.events.memory_wait_cycles / window.events.cycles * window.latency_ratio;
  return stalls / (24.67 / latency + 0.87);
}

}  // namespace

void ObjectScores::add(const ScoreWindow& window) {
  double all = 0;
  for (const auto& [object, count] : window.accesses) all += count;
  if (all <= 0) return;
  const double latency = amortised_latency(window);
  const double expected = slowdown(window, latency);
  const Parallelism* row = parallelism.data();
  while (latency <= row->above) ++row;
  for (const auto& [object, count] : window.accesses) {
    const double share = count / all;
    double score = share * expected;
    if (share >= row->large) score /= row->factor;
    if (share < row->small) score *= row->factor;
    scores_[object] += score;
  }
}

}  // namespace lbhm::placement
