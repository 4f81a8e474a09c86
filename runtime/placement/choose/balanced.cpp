// The earliest end of all phases: weights on the tasks that end last.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {
namespace {

// More rounds, or steps from 1 to 4, find nothing better: 13 of 100 random problems of 12 units end more than 1 % later
// than the best that there is (balanced_test.cpp).
constexpr int most_rounds = 24;
constexpr double step = 2;
/// Of what no choice can fall below, as far as by_lifetimes() finds the optimum: the search ends there.
constexpr double close_enough = 1.001;

std::size_t phases_of(const Problem& problem) {
  std::uint32_t last = 0;
  for (const Task& task : problem.tasks) last = std::max(last, task.phase);
  return problem.tasks.empty() ? 0 : last + 1u;
}

std::vector<double> times_of(const Problem& problem, const Choice& choice) {
  std::vector<double> times;
  times.reserve(problem.tasks.size());
  for (const Task& task : problem.tasks) times.push_back(task.time.value);
  for (std::size_t i = 0; i < problem.units.size(); ++i) {
    const std::size_t tier = choice.tiers[i].value;
    for (const auto& [task, saved] : problem.units[i].saves)
      if (tier < saved.size()) times[task] -= saved[tier].value;
  }
  return times;
}

/// The largest value of a task, by phase.
std::vector<double> largest(const Problem& problem, const std::vector<double>& of_tasks) {
  std::vector<double> most(phases_of(problem));
  for (std::size_t i = 0; i < problem.tasks.size(); ++i) {
    double& phase = most[problem.tasks[i].phase];
    phase = std::max(phase, of_tasks[i]);
  }
  return most;
}

double sum(const std::vector<double>& values) {
  double all = 0;
  for (const double value : values) all += value;
  return all;
}

/// How much of a phase's end each of its tasks stands for: 1 in the sum over the tasks of a phase.
class Weights {
 public:
  explicit Weights(const Problem& problem) : problem_(problem), late_(problem.tasks.size()), weight_(late_.size(), 1) {
    std::vector<double> alone;
    alone.reserve(problem.tasks.size());
    for (const Task& task : problem.tasks) alone.push_back(task.time.value);
    scale_ = largest(problem, alone);
    make_one();
  }
  double of(std::size_t task) const { return weight_[task]; }
  /// `times`: what the tasks took with these weights.
  void raise(const std::vector<double>& times) {
    for (std::size_t i = 0; i < late_.size(); ++i) {
      const double scale = scale_[problem_.tasks[i].phase];
      if (scale > 0) late_[i] += step * times[i] / scale;
    }
    const std::vector<double> most = largest(problem_, late_);
    for (std::size_t i = 0; i < late_.size(); ++i) weight_[i] = std::exp(late_[i] - most[problem_.tasks[i].phase]);
    make_one();
  }

 private:
  void make_one() {
    std::vector<double> sums(scale_.size());
    for (std::size_t i = 0; i < weight_.size(); ++i) sums[problem_.tasks[i].phase] += weight_[i];
    for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i] /= sums[problem_.tasks[i].phase];
  }

  const Problem& problem_;
  std::vector<double> scale_;  // by phase: its end with all in the slowest tier
  std::vector<double> late_, weight_;
};

void weigh(const Problem& problem, const Weights& weights, Problem& weighed) {
  for (std::size_t i = 0; i < problem.units.size(); ++i) {
    std::vector<Nanoseconds> worth(problem.capacities.size());
    for (const auto& [task, saved] : problem.units[i].saves)
      for (std::size_t tier = 0; tier < std::min(worth.size(), saved.size()); ++tier)
        worth[tier] += saved[tier] * weights.of(task);
    weighed.units[i].worth = std::move(worth);
  }
}

}  // namespace

Nanoseconds end_of(const Problem& problem, const Choice& choice) {
  return Nanoseconds(sum(largest(problem, times_of(problem, choice))));
}

Choice balanced(const Problem& problem) {
  Problem weighed = problem;
  Weights weights(problem);
  Choice best;
  double least = std::numeric_limits<double>::infinity(), bound = 0;
  for (int round = 0; round < most_rounds && least > bound * close_enough; ++round) {
    weigh(problem, weights, weighed);
    Choice choice = by_lifetimes(weighed);
    const std::vector<double> times = times_of(problem, choice);
    double weighted = 0;  // an optimum has the least of it, so none would end earlier
    for (std::size_t i = 0; i < times.size(); ++i) weighted += weights.of(i) * times[i];
    bound = std::max(bound, weighted);
    if (const double end = sum(largest(problem, times)); end < least) {
      least = end;
      best = std::move(choice);
    }
    weights.raise(times);
  }
  return best;
}

}  // namespace lbhm::choose
