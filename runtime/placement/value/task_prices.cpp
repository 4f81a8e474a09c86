#include "runtime/placement/value/task_prices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/placement/heat/page_heat.h"
#include "runtime/placement/heat/shrunk_heat.h"
#include "runtime/placement/layouts/page_ranges.h"

namespace lbhm::placement {
namespace {

/// Parts of fast memory that have prices of their own, and the least error of predictions. Assumptions.
constexpr double price_parts = 16, least_miss = 0.02;
/// The error of a region is that of the task that missed most. Of twelve normal variables the largest is 1.6 standard
/// deviations; and the largest of them grows with each one's chance as that of smooth maxima with s = deviation / 2.2.
constexpr double temperature = 1 / (1.6 * 2.2);
class Market {
 public:
  explicit Market(const PhaseForecast& phase)
      : phase_(phase), map_(merge_extents(phase.tasks)), fast_(phase.placement.in(phase.fast)) {
    tasks_.resize(phase.tasks.size());
    for (const HeatRun& run : map_.runs) {
      for (const User& user : map_.users_of(run)) tasks_[user.task].all.add(user, static_cast<double>(run.pages));
    }
    for (const TaskForecast& task : phase.tasks) regions_ = std::max(regions_, task.region + 1);
    taken_.resize(map_.runs.size());
    worth_.resize(map_.runs.size());
    for (std::size_t run = 0; run < map_.runs.size(); ++run) {
      fast_.split(range_of(map_.runs[run]), [&](const PageRange& part, bool fast) {
        if (fast) take(run, part.bytes / phase_.page);
      });
    }
  }

  /// From where the pages are: what is free is filled, then the worst that is there goes for the best that is not, in
  /// smaller and smaller parts, each at the prices of its time.
  PricedPlan run() {
    const auto capacity = static_cast<std::uint64_t>(phase_.room / phase_.page);
    const std::uint64_t used = std::accumulate(taken_.begin(), taken_.end(), std::uint64_t{0});
    free_ = capacity - std::min(capacity, used);
    double part = std::max(1.0, static_cast<double>(capacity) / price_parts);
    const double least = std::max(1.0, part / price_parts);
    for (std::size_t round = 0; part >= least; ++round) {
      set_prices();
      if (!exchange(static_cast<std::uint64_t>(part)) || static_cast<double>(round) >= price_parts) part /= 2;
    }
    set_prices();
    return result();
  }

 private:
  struct Accesses {
    double weighed = 0, counted = 0, lines = 0;
    void add(const User& user, double pages) {
      weighed += user.per_page.value * pages, counted += user.accesses.value * pages;
      lines += user.lines.value * pages;
    }
  };
  struct Task {
    Accesses all, fast;
    Nanoseconds time;
    double access = 0, line = 0;  ///< worth of an access that becomes fast, of a line of slow memory
    double share() const { return all.weighed > 0 ? std::min(1.0, fast.weighed / all.weighed) : 0; }
    double counted() const { return all.counted > 0 ? std::min(1.0, fast.counted / all.counted) : 0; }
  };

  PageRange range_of(const HeatRun& run) const {
    return {phase_.objects[run.slot.value] + run.first.value * phase_.page.value, phase_.page * run.pages};
  }

  /// False: nothing moves at these prices.
  bool exchange(std::uint64_t most) {
    const double copy = phase_.page_move.value / phase_.instances;
    // Heaps, for few of the runs are asked for: the best of slow memory, the worst of fast memory first.
    const auto worse = [&](std::size_t a, std::size_t b) {
      return worth_[a] != worth_[b] ? worth_[a] < worth_[b] : a > b;
    };
    const auto better = [&](std::size_t a, std::size_t b) { return worse(b, a); };
    std::vector<std::size_t> slow, fast;
    for (std::size_t run = 0; run < map_.runs.size(); ++run) {
      worth_[run] = worth(run);
      if (taken_[run] < map_.runs[run].pages && worth_[run] > copy) slow.push_back(run);
      if (taken_[run] > 0) fast.push_back(run);
    }
    std::ranges::make_heap(slow, worse);
    std::ranges::make_heap(fast, better);
    std::uint64_t left = most;
    while (left > 0 && !slow.empty()) {
      const std::size_t run = slow.front();
      std::uint64_t more = std::min(left, map_.runs[run].pages - taken_[run]);
      if (free_ > 0) {
        more = std::min(more, free_);
        free_ -= more;
      } else {
        if (fast.empty() || !(worth_[run] > worth_[fast.front()] + 2 * copy)) break;
        more = std::min(more, taken_[fast.front()]);
        take(fast.front(), -static_cast<double>(more));
        if (taken_[fast.front()] == 0) std::ranges::pop_heap(fast, better), fast.pop_back();
      }
      take(run, static_cast<double>(more));
      left -= more;
      if (taken_[run] == map_.runs[run].pages) std::ranges::pop_heap(slow, worse), slow.pop_back();
    }
    return left < most;
  }

  void take(std::size_t run, double pages) {
    taken_[run] = static_cast<std::uint64_t>(static_cast<double>(taken_[run]) + pages);
    for (const User& user : map_.users_of(map_.runs[run])) tasks_[user.task].fast.add(user, pages), ++looks_;
  }

  double worth(std::size_t run) {
    double sum = 0;
    for (const User& user : map_.users_of(map_.runs[run])) {
      sum += user.per_page.value * tasks_[user.task].access + user.lines.value * tasks_[user.task].line;
      ++looks_;
    }
    return sum;
  }

  void set_prices() {
    std::vector<double> slow(regions_), end(regions_), sum(regions_);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      Task& task = tasks_[i];
      const std::uint32_t region = phase_.tasks[i].region;
      task.time = time_at(phase_.tasks[i].times, task.share());
      slow[region] += phase_.slow_access.value * (task.all.lines - task.fast.lines);
      end[region] = std::max(end[region], task.time.value);
    }
    const double error = std::max(least_miss, phase_.prediction_error) * temperature;
    const auto chance = [&](double time, std::uint32_t region) {
      return end[region] > 0 ? std::exp((time - end[region]) / (error * end[region])) : 0;
    };
    end_ = {};
    for (std::uint32_t region = 0; region < regions_; ++region) {
      end[region] = std::max(end[region], slow[region]);
      end_ += Nanoseconds(end[region]);
      sum[region] = chance(slow[region], region);
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      sum[phase_.tasks[i].region] += chance(tasks_[i].time.value, phase_.tasks[i].region);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const std::uint32_t region = phase_.tasks[i].region;
      if (!(sum[region] > 0)) continue;
      price(tasks_[i], phase_.tasks[i].times, chance(tasks_[i].time.value, region) / sum[region]);
      // While slow memory is busy for a part u of the time, one more line makes others wait for u^2 of its time, about
      // as in an M/M/1 queue; and when the region waits for nothing else, for all of it.
      const double use = end[region] > 0 ? slow[region] / end[region] : 0;
      tasks_[i].line = phase_.slow_access.value * std::max(use * use, chance(slow[region], region) / sum[region]);
    }
  }

  void price(Task& task, const TaskTimes& times, double chance) {
    constexpr double step = 1.0 / (TaskTimes::points - 1);
    const double next = std::min(1.0, task.share() + step), before = std::max(0.0, next - step);
    const Nanoseconds saved = time_at(times, before) - time_at(times, next);
    task.access = task.all.weighed > 0 ? chance * saved.value / (next - before) / task.all.weighed : 0;
    looks_ += 2;
  }

  PricedPlan result() {
    PricedPlan plan{.chosen = {}, .time = end_, .budget = {}, .looks = looks_};
    for (std::size_t slot = 0; slot < phase_.objects.size(); ++slot)
      plan.chosen.set(phase_.objects[slot],
                      phase_.objects[slot] + phase_.bytes[slot].value / phase_.page.value * phase_.page.value, false);
    for (std::size_t number = 0; number < map_.runs.size(); ++number) {
      // Those that are there stay first.
      std::uint64_t left = taken_[number];
      for (const bool there : {true, false}) {
        fast_.split(range_of(map_.runs[number]), [&](const PageRange& part, bool fast) {
          if (fast != there) return;
          const std::uint64_t pages = std::min(left, static_cast<std::uint64_t>(part.bytes / phase_.page));
          plan.chosen.join(part.address, part.address + pages * phase_.page.value, true);
          left -= pages;
        });
      }
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      plan.budget.tasks.push_back({.lane = phase_.tasks[i].times.lane,
                                   .fast_share = tasks_[i].counted(),
                                   .fast_accesses = phase_.tasks[i].accesses.total * tasks_[i].counted(),
                                   .fast_bytes = {},
                                   .predicted = tasks_[i].time});
    }
    return plan;
  }

  const PhaseForecast& phase_;
  HeatMap map_;
  PageRanges fast_;
  std::vector<Task> tasks_;
  std::uint32_t regions_ = 0;
  std::vector<std::uint64_t> taken_;
  std::vector<double> worth_;
  std::uint64_t free_ = 0;
  Nanoseconds end_;
  std::uint64_t looks_ = 0;
};

}  // namespace

PricedPlan price_pages(const PhaseForecast& whole) {
  PhaseForecast phase = whole;
  shrink_heat(phase);
  std::ranges::for_each(phase.tasks, weigh_by_waits);
  return Market(phase).run();
}

}  // namespace lbhm::placement
