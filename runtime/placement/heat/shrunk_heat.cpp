#include "runtime/placement/heat/shrunk_heat.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace lbhm::placement {
namespace {

/// Parts that page counts are taken together in (estimate_accesses): at most so many an object.
constexpr std::uint64_t most_parts = 64;

/// Pages [first, first + pages) of one object.
struct CountedPages {
  std::uint64_t first = 0, pages = 0;
  double samples = 0;
  double heat = 0;   ///< samples a page, as estimated
  double error = 0;  ///< of that estimate
};

/// The extents of one object and the gaps between them, which have no sample.
std::vector<CountedPages> whole_object(std::span<const ExtentEstimate> extents, std::uint64_t pages, double a_sample) {
  std::vector<CountedPages> all;
  std::uint64_t at = 0;
  const auto gap = [&](std::uint64_t until) {
    if (until > at) all.push_back({at, until - at});
  };
  for (const ExtentEstimate& extent : extents) {
    gap(extent.first.value);
    all.push_back({extent.first.value, extent.pages, extent.count.value / a_sample});
    at = extent.first.value + extent.pages;
  }
  gap(pages);
  return all;
}

void estimate(std::vector<CountedPages>& object) {
  double pages = 0, samples = 0;
  for (const CountedPages& part : object) {
    pages += static_cast<double>(part.pages);
    samples += part.samples;
  }
  const double usual = std::max(1.0, std::ceil(pages / most_parts));
  const double mean = samples / pages;
  double variance = 0, count = 0;
  for (const CountedPages& part : object) {
    const auto n = static_cast<double>(part.pages);
    variance += n * std::pow(part.samples / n - mean, 2) / pages;
    count += part.samples > 0 ? 1 : std::ceil(n / usual);
  }
  const double beyond_chance = std::max(0.0, variance - mean * count / pages);
  for (CountedPages& part : object) {
    const auto n = static_cast<double>(part.pages);
    const double exposed = part.samples > 0 ? n : std::min(n, usual);
    const double weight = beyond_chance / (beyond_chance + mean / exposed);
    part.heat = mean + weight * (part.samples / n - mean);
    part.error = std::sqrt(beyond_chance * (1 - weight));
  }
}

/// Appends the extents of one object: neighbours that differ by less than the error of the first are one. `total`: of
/// their counts.
void append(const std::vector<CountedPages>& object, ObjectSlot slot, double total, std::vector<ExtentEstimate>& out) {
  double sum = 0;
  for (const CountedPages& part : object) sum += part.heat * static_cast<double>(part.pages);
  for (std::size_t i = 0; i < object.size();) {
    std::uint64_t part_pages = 0;
    double count = 0;
    const std::size_t first = i;
    for (; i < object.size() && std::abs(object[i].heat - object[first].heat) <= object[first].error; ++i) {
      part_pages += object[i].pages;
      count += object[i].heat * static_cast<double>(object[i].pages);
    }
    if (count > 0) out.push_back({slot, PageIndex(object[first].first), part_pages, AccessCount(count * total / sum)});
  }
}

void shrink(TaskForecast& task, std::span<const Bytes> sizes, Bytes page) {
  const std::span<const ExtentEstimate> before = task.accesses.extents;
  std::vector<ExtentEstimate> after;
  for (std::size_t begin = 0, end = 0; begin < before.size(); begin = end) {
    const ObjectSlot slot = before[begin].slot;
    double total = 0;
    for (end = begin; end < before.size() && before[end].slot == slot; ++end) total += before[end].count.value;
    const ExtentEstimate& last = before[end - 1];
    const Bytes bytes = slot.value < sizes.size() ? sizes[slot.value] : Bytes(0);
    const std::uint64_t pages = std::max(last.first.value + last.pages, (bytes.value + page.value - 1) / page.value);
    std::vector<CountedPages> object = whole_object(before.subspan(begin, end - begin), pages, task.accesses_a_sample);
    if (!(total > 0)) continue;
    estimate(object);
    append(object, slot, total, after);
  }
  task.accesses.extents = std::move(after);
}

}  // namespace

void shrink_heat(PhaseForecast& phase) {
  for (TaskForecast& task : phase.tasks) {
    if (task.accesses_a_sample > 0) shrink(task, phase.bytes, phase.page);
  }
}

}  // namespace lbhm::placement
