#include "runtime/placement/hot_pages.h"

#include <utility>

#include "runtime/placement/scaled.h"

namespace lbhm::placement {

void HotPages::born(std::uintptr_t address) {
  const std::lock_guard lock(lock_);
  born_.push_back(address);
}

void HotPages::update(PolicyContext& context, std::span<const AccessSample> samples, double pace) {
  Machine& machine = context.machine();
  follow(context.objects(), machine.topology().page);
  find_pages(machine);
  const Bytes footprint = machine.peak_footprint();
  const Bytes page = machine.topology().page;
  if (page * grown_ >= scaled(cooling_growth, published_footprint, footprint, page)) {
    cool();
    grown_ = 0;
  }
  count(samples, pace * (footprint / published_footprint));
  find_pages(machine);

  const Nanoseconds now = machine.execution().now();
  if (now - checked_ >= scaled(quota_check, published_footprint, footprint) * pace) {
    budget_.adjust(now - checked_, 1 / pace);
    checked_ = now;
  }
}

/// A new page starts as hot as the threshold (section 4.2.1), so that it is not demoted before it was seen.
void HotPages::follow(std::span<const PlacedObject> objects, Bytes page) {
  {
    const std::lock_guard lock(lock_);
    for (const std::uintptr_t address : born_) counters_.forget(address);
    born_.clear();
  }
  counters_.follow(objects, page, PageCounters::count_in(threshold_.hot()));
}

void HotPages::find_pages(Machine& machine) {
  std::vector<std::uintptr_t> pages;
  std::vector<std::uint64_t> counts;
  counters_.list(pages, counts);
  std::vector<TierId> tiers(pages.size());
  machine.where(pages, tiers);
  fast_ = slow_ = {};
  managed_fast_ = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (tiers[i] == no_tier) continue;
    if (counts[i] == PageCounters::untouched) {
      counters_.appear(pages[i]);
      ++grown_;
      counts[i] = PageCounters::fresh | PageCounters::count_in(threshold_.hot());
    }
    const bool fast = tiers[i] == TierId(0);
    managed_fast_ += fast ? 1 : 0;
    if (!fast && counts[i] >= PageCounters::fresh) continue;
    const std::uint64_t count = counts[i] & ~PageCounters::fresh;
    (fast ? fast_ : slow_).bins[PageCounters::bin_of(count)].push_back({pages[i], count});
  }
  const Topology& topology = machine.topology();
  const double capacity = topology.tiers[0].capacity / topology.page;
  free_ = machine.room(TierId(0)).value / topology.page.value;
  low_ = static_cast<std::uint64_t>(capacity * low_watermark);
  high_ = static_cast<std::uint64_t>(capacity * high_watermark);
}

void HotPages::count(std::span<const AccessSample> samples, double period_factor) {
  for (const AccessSample& sample : samples) {
    if (!budget_.admit() || !counters_.count(sample.address)) continue;
    counted_ += 1;
    if (counted_ - cooled_at_ >= cooling_samples * period_factor) {
      cool();
      cooled_at_ = counted_;
    } else if (counted_ - adapted_at_ >= adapting_samples * period_factor) {
      adapt();
      adapted_at_ = counted_;
    }
  }
}

void HotPages::cool() {
  counters_.cool();
  threshold_.cooled();
}

/// Managed pages can have what they have, and what is free but for the watermark.
void HotPages::adapt() {
  const std::uint64_t most = managed_fast_ + free_;
  threshold_.adapt(counters_.histogram(), most > high_ ? most - high_ : 0);
}

}  // namespace lbhm::placement
