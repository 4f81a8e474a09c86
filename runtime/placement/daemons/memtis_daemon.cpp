
#include "runtime/placement/daemons/memtis_daemon.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/placement/daemons/daemon.h"

namespace lbhm::placement {

void PageCounters::follow(std::span<const PlacedObject> objects, Bytes page, std::uint64_t newborn) {
  page_ = page.value;
  newborn_ = newborn;
  RangeMap<std::vector<std::uint64_t>> now;
  for (const PlacedObject& object : objects) {
    const std::size_t pages = (object.bytes.value + page_ - 1) / page_;
    const auto known = objects_.starting(object.address);
    std::vector<std::uint64_t> counts;
    if (known != objects_.end() && known->second.value.size() == pages) {
      counts = std::move(known->second.value);
    } else {
      counts.assign(pages, untouched);
    }
    now.set(object.address, object.address + pages * page_, std::move(counts));
  }
  objects_ = std::move(now);
  count_bins();
}

void PageCounters::follow_unmanaged(std::span<const PageRange> ranges) {
  std::unordered_map<std::uintptr_t, std::uint64_t> counts;
  std::vector<std::uintptr_t> pages;
  for (const PageRange& range : ranges) {
    for (std::uint64_t at = 0; at < range.bytes.value; at += page_) {
      const auto counter = unmanaged_counts_.find(range.address + at);
      pages.push_back(range.address + at);
      counts.emplace(range.address + at, counter == unmanaged_counts_.end() ? untouched : counter->second);
    }
  }
  unmanaged_counts_ = std::move(counts);
  unmanaged_ = std::move(pages);
  count_bins();
}

void PageCounters::forget(std::uintptr_t address) { objects_.extract(address); }

std::uint64_t* PageCounters::find(std::uintptr_t address) {
  const auto object = objects_.find(address);
  if (object != objects_.end()) return &object->second.value[(address - object->first) / page_];
  const auto counter = unmanaged_counts_.find(address / page_ * page_);
  return counter == unmanaged_counts_.end() ? nullptr : &counter->second;
}

void PageCounters::appear(std::uintptr_t address) {
  if (std::uint64_t* const counter = find(address)) begin(*counter);
}

void PageCounters::begin(std::uint64_t& counter) const {
  if (counter == untouched) counter = fresh | newborn_;
}

bool PageCounters::count(std::uintptr_t address) {
  std::uint64_t* const counter = find(address);
  if (counter == nullptr) return false;
  begin(*counter);
  if (*counter < fresh) --histogram_[bin_of(*counter)];
  *counter = (*counter & ~fresh) + per_sample;
  ++histogram_[bin_of(*counter)];
  return true;
}

/// Of all counters: of unmanaged pages, then of objects by address.
template <class Visit>
void PageCounters::for_each(Visit visit) const {
  for (const std::uintptr_t page : unmanaged_) visit(unmanaged_counts_.at(page));
  for (const auto& [address, object] : objects_)
    for (const std::uint64_t count : object.value) visit(count);
}

void PageCounters::cool() {
  const auto halve = [](std::uint64_t& count) {
    if (count != untouched) count = (count & fresh) | (count & ~fresh) / 2;
  };
  for (auto& [address, object] : objects_) std::ranges::for_each(object.value, halve);
  for (auto& [page, count] : unmanaged_counts_) halve(count);
  count_bins();
}

void PageCounters::count_bins() {
  histogram_.fill(0);
  for_each([this](std::uint64_t count) {
    if (count < fresh) ++histogram_[bin_of(count)];
  });
}

std::uint64_t PageCounters::total() const {
  std::uint64_t sum = 0;
  for_each([&sum](std::uint64_t count) {
    if (count < fresh) sum += count;
  });
  return sum;
}

void PageCounters::list(MachineMemory& memory, std::vector<std::uintptr_t>& pages,
                        std::vector<std::uint64_t*>& counters) {
  pages = unmanaged_;
  counters.clear();
  for (const std::uintptr_t page : unmanaged_) counters.push_back(&unmanaged_counts_.at(page));
  for (auto& [address, object] : objects_) {
    for (const PageRange& part : memory.touched({address, Bytes(object.end - address)})) {
      const std::size_t first = (part.address - address) / page_;
      for (std::size_t i = first; i < first + (part.bytes.value + page_ - 1) / page_; ++i) {
        pages.push_back(address + i * page_);
        counters.push_back(&object.value[i]);
      }
    }
  }
}

unsigned PageCounters::bin_of(std::uint64_t count) {
  return std::min(static_cast<unsigned>(std::bit_width(count + 1)) - 1, bins - 1);
}

void HotPages::born(std::uintptr_t address) {
  const std::lock_guard lock(lock_);
  born_.push_back(address);
}

void HotPages::forget_births() {
  const std::lock_guard lock(lock_);
  born_.clear();
}

void HotPages::update(PolicyContext& context, std::span<const AccessSample> samples, double pace) {
  Machine& machine = context.machine();
  follow(context);
  find_pages(context);
  const Bytes footprint = machine.peak_footprint();
  const Bytes page = machine.topology().page;
  if (page * grown_ >= scaled(cooling_growth, published_footprint, footprint, page)) {
    cool();
    grown_ = 0;
  }
  count(samples, pace * (footprint / published_footprint));
  fill_bins();

  const Nanoseconds now = machine.execution().now();
  if (now - checked_ >= scaled(quota_check, published_footprint, footprint) * pace) {
    budget_.adjust(now - checked_, 1 / pace);
    checked_ = now;
  }
}

/// A new page starts as hot as the threshold (section 4.2.1), so that it is not demoted before it was seen.
void HotPages::follow(PolicyContext& context) {
  {
    const std::lock_guard lock(lock_);
    for (const std::uintptr_t address : born_) counters_.forget(address);
    born_.clear();
  }
  counters_.follow(context.objects(), context.machine().topology().page, PageCounters::count_in(threshold_.hot()));
  counters_.follow_unmanaged(context.unmanaged());
}

void HotPages::find_pages(PolicyContext& context) {
  Machine& machine = context.machine();
  counters_.list(machine, pages_, counts_);
  tiers_.resize(pages_.size());
  context.where(pages_, tiers_);
  fast_pages_ = static_cast<std::uint64_t>(std::ranges::count(tiers_, TierId(0)));
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (tiers_[i] == no_tier || *counts_[i] != PageCounters::untouched) continue;
    counters_.begin(*counts_[i]);
    ++grown_;
  }
  const Topology& topology = machine.topology();
  const double capacity = topology.tiers[0].capacity / topology.page;
  free_ = machine.room(TierId(0)).value / topology.page.value;
  low_ = static_cast<std::uint64_t>(capacity * low_watermark);
  high_ = static_cast<std::uint64_t>(capacity * high_watermark);
}

void HotPages::fill_bins() {
  fast_ = slow_ = {};
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const bool fast = tiers_[i] == TierId(0);
    if (tiers_[i] == no_tier || (!fast && *counts_[i] >= PageCounters::fresh)) continue;
    const std::uint64_t count = *counts_[i] & ~PageCounters::fresh;
    (fast ? fast_ : slow_).bins[PageCounters::bin_of(count)].push_back({pages_[i], count});
  }
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

/// The pages that are followed can have what they have, and what is free but for the watermark.
void HotPages::adapt() {
  const std::uint64_t most = fast_pages_ + free_;
  threshold_.adapt(counters_.histogram(), most > high_ ? most - high_ : 0);
}

bool MemtisDaemon::wake_up(PolicyContext& context) {
  Machine& machine = context.machine();
  SampleSource* const source = machine.samples();
  if (source == nullptr) {
    pages_.forget_births();
    return false;
  }
  const Nanoseconds now = machine.execution().now();
  const Bytes footprint = machine.peak_footprint();
  if (now - last_ < scaled(HotPages::wake_up, HotPages::published_footprint, footprint) * pace_) return false;
  last_ = now;
  samples_.clear();
  context.samples(samples_);
  pages_.update(context, samples_, pace_);
  return true;
}

MigrationPlan MemtisDaemon::exchange(Machine& machine) {
  MigrationPlan plan;
  const Bytes page = machine.topology().page;
  std::uint64_t room = demote_cold(pages_.hot_in_slow(), machine, plan);
  for (unsigned bin = PageCounters::bins; bin-- > pages_.threshold().hot();) {
    for (const PageBins::Page& candidate : pages_.slow().bins[bin]) {
      if (room == 0) return plan;
      add_move(plan, candidate.address, page, TierId(0));
      --room;
    }
  }
  return plan;
}

std::uint64_t MemtisDaemon::demote_cold(std::uint64_t wanted, Machine& machine, MigrationPlan& plan) {
  const Bytes page = machine.topology().page;
  TierBelow below(machine, TierId(0));
  const std::uint64_t free = pages_.free_pages();
  std::uint64_t left = 0;  // to demote
  if (wanted > 0 || free < pages_.low()) left = wanted + pages_.high() - std::min(free, wanted + pages_.high());
  const std::uint64_t asked = left;
  const auto demote = [&](unsigned first, unsigned last) {
    for (unsigned bin = first; bin < last; ++bin) {
      const auto& cold = pages_.fast().bins[bin];
      const std::size_t going = std::min<std::size_t>(left, cold.size());
      for (std::size_t i = 0; i < going; ++i) add_move(plan, cold[i].address, page, below.next());
      left -= going;
    }
  };
  const unsigned hot = pages_.threshold().hot();
  const unsigned warm = pages_.threshold().warm();
  demote(0, warm);
  if (asked - left < std::min(wanted, asked)) demote(warm, hot);
  const std::uint64_t demoted = asked - left;
  return free + demoted > pages_.high() ? free + demoted - pages_.high() : 0;
}

}  // namespace lbhm::placement
