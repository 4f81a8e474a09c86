#include "runtime/knowledge/prediction.h"

#include <algorithm>
#include <cmath>

#include "runtime/knowledge/knowledge.h"

namespace lbhm {
namespace {

/// Share of fast accesses that the machine counted.
double real_share(const TaskRecord& task, const TaskBudget& budget) {
  return task.accesses.value > 0 ? task.fast_accesses / task.accesses : budget.fast_share;
}

/// Unknown unless all four are positive numbers.
PredictionError parts_of(Nanoseconds predicted, Nanoseconds at_real_share, Nanoseconds at_real_times,
                         Nanoseconds measured) {
  for (const Nanoseconds time : {predicted, at_real_share, at_real_times, measured})
    if (!(time.value > 0) || !std::isfinite(time.value)) return {};
  return {.counts = std::log(predicted / at_real_share),
          .homogeneous = std::log(at_real_share / at_real_times),
          .correlation = std::log(at_real_times / measured)};
}

}  // namespace

std::vector<PredictionError> explain(const PlannedRegion& planned, const RegionKnowledge& known,
                                     const PhaseProfile& measured, std::span<const TaskRecord> tasks,
                                     const Topology& topology) {
  std::vector<HomogeneousTimes> times = homogeneous_of(measured, topology, known.blocks.facts, TierId(0), *known.f);
  times.resize(known.profile.tasks.size());  // lanes that this region did not have
  const std::vector<TaskTimes> real = hybrid_forecast(known.profile, times, topology, *known.f);
  std::vector<PredictionError> errors(tasks.size());
  const std::size_t lanes =
      std::min({tasks.size(), measured.tasks.size(), real.size(), planned.tasks.size(), planned.budget.size()});
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double r = real_share(tasks[lane], planned.budget[lane]);
    errors[lane] = parts_of(tasks[lane].predicted, time_at(planned.tasks[lane], r) / planned.executions,
                            time_at(real[lane], r), tasks[lane].time);
  }
  return errors;
}

void ErrorSpread::add(Nanoseconds predicted, Nanoseconds measured) {
  if (!(predicted.value > 0) || !(measured.value > 0)) return;
  missed_ += std::abs((predicted - measured).value);
  measured_ += measured.value;
  const double error = std::abs(predicted / measured - 1);
  const double bin = error > least ? std::log(error / least) / std::log(width) : 0;
  ++tasks_in_[std::min(static_cast<std::size_t>(std::min(bin, 1e9)), bins - 1)];
  ++tasks_;
}

double ErrorSpread::median() const {
  if (tasks_ == 0) return std::numeric_limits<double>::quiet_NaN();
  std::uint64_t below = 0;
  std::size_t bin = 0;
  while (2 * (below + tasks_in_[bin]) < tasks_) below += tasks_in_[bin++];
  return bin == 0 ? 0 : least * std::pow(width, static_cast<double>(bin) + 0.5);  // in the middle of the bin
}

void PredictionTotals::add(const TaskRecord& task) {
  error.add(task.predicted, task.time);
  spread.add(task.predicted, task.time);
  const PredictionError& parts = task.error;
  if (!parts.known()) return;
  ++explained;
  absolute.counts += std::abs(parts.counts);
  absolute.homogeneous += std::abs(parts.homogeneous);
  absolute.correlation += std::abs(parts.correlation);
}

PredictionError PredictionTotals::mean() const {
  if (explained == 0) return {};
  const auto n = static_cast<double>(explained);
  return {
      .counts = absolute.counts / n, .homogeneous = absolute.homogeneous / n, .correlation = absolute.correlation / n};
}

}  // namespace lbhm
