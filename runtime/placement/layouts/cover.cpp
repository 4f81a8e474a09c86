#include "runtime/placement/layouts/cover.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lbhm::placement {
namespace {

/// Sums of fractions miss a goal by rounding: what is closer than this to it has reached it.
constexpr double tolerance = 1e-9;

/// A task without a page of its own left would take a colder shared one instead: far colder than its mean page.
constexpr double no_alternative = 1.0 / 16;

/// The smallest share with which the task ends by `end`; above 1 if there is none. The curve never rises.
double share_for(const TaskTimes& times, Nanoseconds end) {
  if (times.curve.front() <= end) return 0;
  for (std::size_t i = 1; i < TaskTimes::points; ++i) {
    if (times.curve[i] > end) continue;
    const double part = (times.curve[i - 1] - end) / (times.curve[i - 1] - times.curve[i]);
    return TaskTimes::share(i - 1) + part * (TaskTimes::share(i) - TaskTimes::share(i - 1));
  }
  return 2;
}

}  // namespace

Cover::Cover(const PhaseForecast& phase, const HeatMap& map)
    : phase_(phase),
      map_(map),
      totals_(phase.tasks.size()),
      counted_(phase.tasks.size()),
      lines_(phase.tasks.size()),
      own_(phase.tasks.size()),
      needs_(phase.tasks.size()) {
  for (const TaskForecast& task : phase.tasks) {
    if (earliest_.size() <= task.region) earliest_.resize(task.region + 1);
    earliest_[task.region] = std::max(earliest_[task.region], task.times.curve.back());
  }
  std::vector<double> pages(totals_.size());
  looks_ += map.users.size();
  for (std::size_t i = 0; i < map.runs.size(); ++i) {
    const auto users = map.users_of(map.runs[i]);
    const auto count = static_cast<double>(map.runs[i].pages);
    for (const User& user : users) {
      totals_[user.task] += user.per_page.value * count;
      counted_[user.task] += user.accesses.value * count;
      lines_[user.task] += user.lines.value * count;
      pages[user.task] += count;
    }
    if (users.size() == 1)
      own_[users[0].task].runs.push_back(i);
    else
      shared_.push_back(i);
  }
  for (std::size_t task = 0; task < own_.size(); ++task) sort_own(task, pages[task]);
  add_rows();
}

void Cover::add_rows() {
  const std::size_t tasks = totals_.size();
  std::vector<std::vector<double>> waited(regions(), std::vector<double>(tasks)), slow = waited;
  std::vector<double> saved(tasks);
  std::vector<Nanoseconds> fixed(regions());
  for (std::size_t task = 0; task < tasks; ++task) {
    const TaskForecast& forecast = phase_.tasks[task];
    const auto& curve = forecast.times.curve;
    if (!(totals_[task] > 0)) continue;
    saved[task] = (curve.front() - curve.back()).value / totals_[task];
    waited[forecast.region][task] = forecast.critical * saved[task];
    fixed[forecast.region] += curve.back() * forecast.critical;
    slow[forecast.region][task] = phase_.slow_access.value;
  }
  for (std::uint32_t region = 0; region < regions(); ++region) {
    add_row({.region = region, .weights = std::move(slow[region]), .of_lines = true});
    add_row({.region = region, .fixed = fixed[region], .weights = std::move(waited[region])});
  }
  savings_.resize(map_.runs.size());
  for (std::size_t run = 0; run < savings_.size(); ++run) {
    for (const User& user : map_.users_of(map_.runs[run])) savings_[run] += saved[user.task] * user.per_page.value;
  }
  by_savings_.resize(savings_.size());
  std::iota(by_savings_.begin(), by_savings_.end(), std::size_t{0});
  std::ranges::sort(by_savings_, [&](std::size_t a, std::size_t b) {
    return savings_[a] != savings_[b] ? savings_[a] > savings_[b] : a < b;
  });
}

void Cover::add(std::size_t run, std::uint64_t pages, Chosen& to) const {
  const auto users = map_.users_of(map_.runs[run]);
  looks_ += users.size();
  to.pages[run] += pages;
  to.count += pages;
  for (const User& user : users) {
    to.brought[user.task] += user.per_page.value * static_cast<double>(pages);
    to.accesses[user.task] += user.accesses.value * static_cast<double>(pages);
    to.lines[user.task] += user.lines.value * static_cast<double>(pages);
  }
}

void Cover::add_row(Row row) {
  if (std::ranges::none_of(row.weights, [](double weight) { return weight > 0; })) return;
  for (std::size_t run = 0; run < map_.runs.size(); ++run) {
    double per_page = 0;
    for (const User& user : map_.users_of(map_.runs[run]))
      per_page += row.weights[user.task] * (row.of_lines ? user.lines : user.per_page).value;
    if (per_page > 0) row.by_heat.push_back({run, per_page});
  }
  std::ranges::sort(row.by_heat, [](const Heat& a, const Heat& b) {
    return a.per_page != b.per_page ? a.per_page > b.per_page : a.run < b.run;
  });
  rows_.push_back(std::move(row));
}

Nanoseconds Cover::time_of(const Row& row, const Chosen& chosen) const {
  looks_ += totals_.size();
  Nanoseconds time = row.fixed;
  const std::vector<double>& all = row.of_lines ? lines_ : totals_;
  const std::vector<double>& fast = row.of_lines ? chosen.lines : chosen.brought;
  for (std::size_t task = 0; task < all.size(); ++task)
    time += Nanoseconds(row.weights[task] * std::max(0.0, all[task] - fast[task]));
  return time;
}

void Cover::sort_own(std::size_t task, double pages) {
  Own& own = own_[task];
  std::ranges::sort(own.runs, [&](std::size_t a, std::size_t b) {
    const AccessCount heat_a = map_.runs[a].per_page, heat_b = map_.runs[b].per_page;
    return heat_a != heat_b ? heat_a > heat_b : a < b;
  });
  double sum = 0;
  for (const std::size_t run : own.runs)
    own.brought.push_back(sum += map_.runs[run].per_page.value * static_cast<double>(map_.runs[run].pages));
  own.mean = pages > 0 ? totals_[task] / pages : 0;
}

bool Cover::set_needs(std::span<const Nanoseconds> ends) {
  looks_ += needs_.size();
  for (std::size_t task = 0; task < needs_.size(); ++task) {
    const double share = share_for(phase_.tasks[task].times, ends[phase_.tasks[task].region]);
    if (share > 1) return false;
    needs_[task].accesses = share * totals_[task];
    set_price(task);
  }
  return true;
}

void Cover::set_price(std::size_t task) {
  Need& need = needs_[task];
  need.price = 0;
  if (!(need.accesses > totals_[task] * tolerance)) return;
  const Own& own = own_[task];
  const auto last = std::ranges::lower_bound(own.brought, need.accesses);
  const double next = last == own.brought.end()
                          ? own.mean * no_alternative
                          : map_.runs[own.runs[static_cast<std::size_t>(last - own.brought.begin())]].per_page.value;
  need.price = 1 / next;
}

double Cover::value_of(const HeatRun& run) const {
  double value = 0;
  looks_ += run.user_count;
  for (const User& user : map_.users_of(run)) value += user.per_page.value * needs_[user.task].price;
  return value;
}

/// In the order of their values before anything is taken: needs and prices that have shrunk since leave runs out, but
/// put none before another.
void Cover::take_shared(Chosen& chosen) {
  std::vector<std::pair<double, std::size_t>> best;
  for (const std::size_t run : shared_) {
    const double value = value_of(map_.runs[run]);
    if (value > 1) best.emplace_back(value, run);
  }
  std::ranges::sort(
      best, [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (const auto& [value, number] : best) {
    const HeatRun& run = map_.runs[number];
    while (chosen.pages[number] < run.pages && value_of(run) > 1) {
      // As many pages as one of the users still needs: then the run may be worth no more.
      auto wanted = static_cast<double>(run.pages - chosen.pages[number]);
      for (const User& user : map_.users_of(run)) {
        const Need& need = needs_[user.task];
        if (need.price > 0) wanted = std::min(wanted, std::ceil(need.accesses / user.per_page.value));
      }
      add(number, static_cast<std::uint64_t>(wanted), chosen);
      for (const User& user : map_.users_of(run)) {
        Need& need = needs_[user.task];
        need.accesses = std::max(0.0, need.accesses - user.per_page.value * wanted);
        set_price(user.task);
      }
    }
  }
}

void Cover::take_own(Chosen& chosen) const {
  for (std::size_t task = 0; task < own_.size(); ++task) {
    double need = needs_[task].accesses - totals_[task] * tolerance;
    for (const std::size_t number : own_[task].runs) {
      if (need <= 0) break;
      const HeatRun& run = map_.runs[number];
      const double wanted = std::ceil(need / run.per_page.value);
      const std::uint64_t pages =
          wanted < static_cast<double>(run.pages) ? static_cast<std::uint64_t>(wanted) : run.pages;
      add(number, pages, chosen);
      need -= run.per_page.value * static_cast<double>(pages);
    }
  }
}

void Cover::relieve(const Row& row, Nanoseconds end, Chosen& chosen) const {
  double excess = (time_of(row, chosen) - end).value;
  for (const Heat& heat : row.by_heat) {
    if (excess <= end.value * tolerance) return;
    ++looks_;
    const auto left = static_cast<double>(map_.runs[heat.run].pages - chosen.pages[heat.run]);
    if (left == 0) continue;
    const double more = std::min(std::ceil(excess / heat.per_page), left);
    add(heat.run, static_cast<std::uint64_t>(more), chosen);
    excess -= more * heat.per_page;
  }
}

std::optional<Chosen> Cover::pages_for(std::span<const Nanoseconds> ends, std::uint64_t room) {
  if (!set_needs(ends)) return std::nullopt;
  Chosen chosen = nothing();
  take_shared(chosen);
  take_own(chosen);
  for (const Row& row : rows_) relieve(row, ends[row.region], chosen);
  if (chosen.count > room) return std::nullopt;
  return chosen;
}

double Cover::share_of(std::size_t task, const Chosen& chosen) const {
  return totals_[task] > 0 ? std::min(1.0, chosen.brought[task] / totals_[task]) : 0;
}

double Cover::counted_share_of(std::size_t task, const Chosen& chosen) const {
  return counted_[task] > 0 ? std::min(1.0, chosen.accesses[task] / counted_[task]) : 0;
}

std::vector<Nanoseconds> Cover::ends_of(const Chosen& chosen) const {
  looks_ += totals_.size();
  std::vector<Nanoseconds> ends(regions());
  for (std::size_t task = 0; task < totals_.size(); ++task) {
    Nanoseconds& end = ends[phase_.tasks[task].region];
    end = std::max(end, time_at(phase_.tasks[task].times, share_of(task, chosen)));
  }
  for (const Row& row : rows_) ends[row.region] = std::max(ends[row.region], time_of(row, chosen));
  return ends;
}

Nanoseconds Cover::mean_of(const Chosen& chosen) const {
  looks_ += totals_.size();
  std::vector<Nanoseconds> sums(regions());
  std::vector<double> tasks(regions());
  for (std::size_t task = 0; task < totals_.size(); ++task) {
    sums[phase_.tasks[task].region] += time_at(phase_.tasks[task].times, share_of(task, chosen));
    tasks[phase_.tasks[task].region] += 1;
  }
  Nanoseconds mean;
  for (std::size_t region = 0; region < regions(); ++region)
    if (tasks[region] > 0) mean += sums[region] / tasks[region];
  return mean;
}

}  // namespace lbhm::placement
