#include "runtime/placement/heat/expected_heat.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace lbhm::placement {
namespace {

double samples_in(std::uint64_t counter) {
  return static_cast<double>(counter) / static_cast<double>(PageCounters::per_sample);
}

/// Of counters of pages that were touched.
struct Moments {
  double pages = 0, sum = 0, squares = 0;

  void add(std::uint64_t counter) {
    if (counter == PageCounters::untouched) return;
    const double samples = counter >= PageCounters::fresh ? 0 : samples_in(counter);
    pages += 1, sum += samples, squares += samples * samples;
  }
  double mean() const { return pages > 0 ? sum / pages : 0; }
  double variance() const { return pages > 1 ? (squares - sum * mean()) / (pages - 1) : 0; }
  double beyond_chance() const { return std::max(0.0, variance() - mean()); }
};

struct Ranked {
  double heat;
  std::size_t order;  ///< of pages that are expected to be used alike
  std::uintptr_t address;
};

/// The pages of bins [first, all), in the order of the bins.
std::vector<Ranked> ranked(const PageBins& pages, unsigned first, const ExpectedHeat& expected) {
  std::vector<Ranked> ranks;
  for (unsigned bin = first; bin < PageCounters::bins; ++bin) {
    for (const PageBins::Page& each : pages.bins[bin])
      ranks.push_back({expected.of(each.address, each.count), ranks.size(), each.address});
  }
  return ranks;
}

/// Only the first `most`, ordered by heat.
template <class Order>
void keep_first(std::vector<Ranked>& ranks, std::size_t most, Order order) {
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(std::min(most, ranks.size()));
  std::partial_sort(ranks.begin(), end, ranks.end(), [order](const Ranked& a, const Ranked& b) {
    return a.heat != b.heat ? order(a.heat, b.heat) : a.order < b.order;
  });
  ranks.erase(end, ranks.end());
}

}  // namespace

ExpectedHeat::ExpectedHeat(const PageCounters& counters) {
  for (const auto& [address, object] : counters.objects()) {
    Moments moments;
    for (const std::uint64_t counter : object.value) moments.add(counter);
    objects_.set(address, object.end, {moments.mean(), moments.beyond_chance()});
  }
  Moments moments;
  for (const auto& [address, counter] : counters.unmanaged()) moments.add(counter);
  rest_ = {.mean = moments.mean(), .apart = moments.beyond_chance()};
}

double ExpectedHeat::of(std::uintptr_t address, std::uint64_t counter) const {
  const auto object = objects_.find(address);
  const Group& group = object == objects_.end() ? rest_ : object->second.value;
  if (!(group.apart > 0)) return group.mean;
  return group.mean + group.apart / (group.apart + group.mean) * (samples_in(counter) - group.mean);
}

MigrationPlan exchange_by_expectation(const HotPages& pages, Bytes page, std::uint64_t most, TierBelow below) {
  MigrationPlan plan;
  const std::uint64_t wanted = std::min(most, pages.hot_in_slow()), free = pages.free_pages(), kept = pages.high();
  if (wanted == 0 && free >= pages.low()) return plan;
  const std::size_t missing = kept - std::min(free, kept), room = free - std::min(free, kept);
  const ExpectedHeat expected(pages.counters());
  std::vector<Ranked> coming = ranked(pages.slow(), pages.threshold().hot(), expected);
  std::vector<Ranked> leaving = ranked(pages.fast(), 0, expected);
  keep_first(coming, wanted, std::greater<>());
  keep_first(leaving, missing + wanted, std::less<>());

  std::size_t came = std::min(room, coming.size()), left = std::min(missing, leaving.size());
  while (came < coming.size() && left < leaving.size() && coming[came].heat > so_much_more * leaving[left].heat)
    ++came, ++left;
  for (std::size_t i = 0; i < left; ++i) add_move(plan, leaving[i].address, page, below.next());
  for (std::size_t i = 0; i < came; ++i) add_move(plan, coming[i].address, page, TierId(0));
  return plan;
}

}  // namespace lbhm::placement
