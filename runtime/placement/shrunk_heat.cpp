#include "runtime/placement/shrunk_heat.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace lbhm::placement {
namespace {

/// Stretches that page counts are taken together in (estimate_accesses): at most so many an object.
constexpr std::uint64_t stretches = 64;

/// Pages [first, first + pages) of one object.
struct Stretch {
  std::uint64_t first = 0;
  double pages = 0;
  double parts = 1;     ///< stretches that it stands for: more than one where nobody has a sample
  double samples = 0;   ///< in it
  double expected = 0;  ///< in it, before its samples are looked at
  double heat = 0;      ///< what is expected after that
  double error = 0;     ///< of the heat
};

using Whole = std::vector<Stretch>;

/// What a task has samples of, in one object.
struct Use {
  std::size_t task;
  std::span<const ExtentEstimate> extents;
};

double sum_of(const Whole& object, double Stretch::* what) {
  double sum = 0;
  for (const Stretch& stretch : object) sum += stretch.*what;
  return sum;
}

/// The extents of all tasks, cut where any of them begins or ends, and the gaps between.
Whole whole_object(std::span<const Use> uses, std::uint64_t pages) {
  std::set<std::uint64_t> cuts;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sampled;
  for (const Use& use : uses)
    for (const ExtentEstimate& extent : use.extents) {
      const std::uint64_t begin = extent.first.value, end = begin + extent.pages;
      cuts.insert({begin, end});
      sampled.emplace_back(begin, end);
    }
  cuts.insert({0, std::max(pages, *cuts.rbegin())});
  std::ranges::sort(sampled);
  const double usual = std::max(1.0, std::ceil(static_cast<double>(*cuts.rbegin()) / stretches));
  Whole object;
  std::uint64_t known_until = 0;
  auto next = sampled.begin();
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    for (; next != sampled.end() && next->first <= *cut; ++next) known_until = std::max(known_until, next->second);
    const auto n = static_cast<double>(*std::next(cut) - *cut);
    object.push_back({.first = *cut, .pages = n, .parts = *cut < known_until ? 1 : std::ceil(n / usual)});
  }
  return object;
}

void add_samples(std::span<const ExtentEstimate> extents, double a_sample, Whole& object) {
  auto stretch = object.begin();
  for (const ExtentEstimate& extent : extents) {
    const auto samples_a_page = extent.count.value / a_sample / static_cast<double>(extent.pages);
    while (stretch->first < extent.first.value) ++stretch;
    for (; stretch != object.end() && stretch->first < extent.first.value + extent.pages; ++stretch)
      stretch->samples += samples_a_page * stretch->pages;
  }
}

/// Marshall's estimate of what is sampled of what is expected; the mean of that is 1.
void estimate(Whole& object) {
  const double all = sum_of(object, &Stretch::samples), scale = all / sum_of(object, &Stretch::expected);
  double variance = 0;
  for (Stretch& stretch : object) {
    stretch.expected *= scale;
    if (stretch.expected > 0) variance += stretch.expected * std::pow(stretch.samples / stretch.expected - 1, 2) / all;
  }
  const double beyond_chance = std::max(0.0, variance - sum_of(object, &Stretch::parts) / all);
  for (Stretch& stretch : object) {
    if (!(stretch.expected > 0)) continue;
    const double weight = beyond_chance / (beyond_chance + stretch.parts / stretch.expected);
    stretch.heat = stretch.expected + weight * (stretch.samples - stretch.expected);
    stretch.error = stretch.expected * std::sqrt(beyond_chance * (1 - weight));
  }
}

/// The same of one task, which is expected to use what all use.
Whole of_task(const Whole& all, std::span<const ExtentEstimate> extents, double a_sample) {
  Whole own = all;
  for (Stretch& stretch : own) {
    stretch.expected = stretch.heat;
    stretch.samples = stretch.heat = 0;
  }
  add_samples(extents, a_sample, own);
  estimate(own);
  for (std::size_t i = 0; i < own.size(); ++i)
    if (all[i].heat > 0) own[i].error = std::hypot(own[i].error, all[i].error / all[i].heat * own[i].heat);
  return own;
}

/// Appends the extents of one object: neighbours that differ by less than the error of the first are one. `total`: of
/// their counts.
void append(const Whole& object, ObjectSlot slot, double total, std::vector<ExtentEstimate>& out) {
  const double sum = sum_of(object, &Stretch::heat);
  const auto heat_of = [](const Stretch& stretch) { return stretch.heat / stretch.pages; };
  for (std::size_t i = 0; i < object.size();) {
    const Stretch& first = object[i];
    double pages = 0, heat = 0;
    for (; i < object.size() && std::abs(heat_of(object[i]) - heat_of(first)) <= first.error / first.pages; ++i) {
      pages += object[i].pages;
      heat += object[i].heat;
    }
    if (heat > 0)
      out.push_back({slot, PageIndex(first.first), static_cast<std::uint64_t>(pages), AccessCount(heat * total / sum)});
  }
}

std::map<ObjectSlot, std::vector<Use>> uses_by_object(const ScopeForecast& scope) {
  std::map<ObjectSlot, std::vector<Use>> found;
  for (std::size_t task = 0; task < scope.tasks.size(); ++task) {
    const std::vector<ExtentEstimate>& extents = scope.tasks[task].accesses.extents;
    if (!(scope.tasks[task].accesses_a_sample > 0)) continue;
    for (auto begin = extents.begin(); begin != extents.end();) {
      const auto end = std::find_if(begin, extents.end(), [&](const auto& other) { return other.slot != begin->slot; });
      found[begin->slot].push_back({task, {begin, end}});
      begin = end;
    }
  }
  return found;
}

}  // namespace

void shrink_heat(ScopeForecast& scope) {
  std::vector<std::vector<ExtentEstimate>> shrunk(scope.tasks.size());
  for (const auto& [slot, uses] : uses_by_object(scope)) {
    const Bytes bytes = slot.value < scope.bytes.size() ? scope.bytes[slot.value] : Bytes(0);
    Whole all = whole_object(uses, (bytes.value + scope.page.value - 1) / scope.page.value);
    for (Stretch& stretch : all) stretch.expected = stretch.pages;
    for (const Use& use : uses) add_samples(use.extents, scope.tasks[use.task].accesses_a_sample, all);
    if (!(sum_of(all, &Stretch::samples) > 0)) continue;
    estimate(all);
    for (const Use& use : uses) {
      double total = 0;
      for (const ExtentEstimate& extent : use.extents) total += extent.count.value;
      if (total > 0)
        append(of_task(all, use.extents, scope.tasks[use.task].accesses_a_sample), slot, total, shrunk[use.task]);
    }
  }
  for (std::size_t task = 0; task < scope.tasks.size(); ++task)
    if (scope.tasks[task].accesses_a_sample > 0) scope.tasks[task].accesses.extents = std::move(shrunk[task]);
}

}  // namespace lbhm::placement
