// What policies that act at intervals share: the pages that they look at, times and amounts scaled from what was
// published, and how much may move.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/machine/machine.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

// The pages of the program, with the tier of each and what a policy remembers of it.

/// Unmanaged pages in the order of their first touch, then those of all migratable objects by address, as heap and
/// globals lie below mappings: where exactly differs from run to run, this order does not. `State` is what the policy
/// remembers of a page; a page that is new, or was touched for the first time, has State{}.
template <class State>
class ProgramPages {
 public:
  struct Page {
    std::uintptr_t address = 0;  ///< of its first byte
    TierId tier = no_tier;       ///< no_tier: nobody has touched it yet
    State state{};
  };

  /// Asks anew which pages there are and where they lie. An object that took the place of a freed one is taken for it,
  /// as by a daemon that sees addresses only. Cost: O(pages), for those with another neighbour O(log pages) each.
  void refresh(PolicyContext& context) {
    std::vector<std::uintptr_t> addresses;
    const Bytes page = context.machine().topology().page;
    for (const PageRange& range : context.unmanaged()) add_pages(addresses, range, page);
    const std::size_t unmanaged = addresses.size();
    for (const PlacedObject& object : context.objects())
      for (const PageRange& part : context.machine().touched({object.address, object.bytes}))
        add_pages(addresses, part, page);
    std::vector<TierId> tiers(addresses.size());
    context.where(addresses, tiers);
    std::vector<Page> fresh(addresses.size());
    std::size_t next = objects_from_;  // most pages have the neighbours that they had
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      Page* const old = is_first_at(next, addresses[i]) ? &pages_[next] : find(addresses[i]);
      if (old != nullptr) next = std::max(objects_from_, static_cast<std::size_t>(old - pages_.data()) + 1);
      const bool known = old && old->tier != no_tier;
      fresh[i] = {.address = addresses[i], .tier = tiers[i], .state = known ? std::move(old->state) : State{}};
    }
    pages_ = std::move(fresh);
    objects_from_ = unmanaged;
    index_unmanaged();
  }

  /// In the order above.
  std::span<Page> all() { return pages_; }
  std::span<const Page> all() const { return pages_; }

  /// The page with this first address; null if the program has none there.
  Page* find(std::uintptr_t address) {
    const auto objects = std::span(pages_).subspan(objects_from_);
    const auto page = std::ranges::lower_bound(objects, address, {}, &Page::address);
    if (page != objects.end() && page->address == address) return &*page;
    const auto named = std::ranges::lower_bound(unmanaged_, address, {}, &Name::first);
    return named != unmanaged_.end() && named->first == address ? &pages_[named->second] : nullptr;
  }

  /// Pages in this tier.
  std::size_t count(TierId tier) const {
    return static_cast<std::size_t>(std::ranges::count(pages_, tier, &Page::tier));
  }
  /// Pages in any tier.
  std::size_t touched() const { return pages_.size() - count(no_tier); }

 private:
  using Name = std::pair<std::uintptr_t, std::size_t>;  // address, place in pages_

  static void add_pages(std::vector<std::uintptr_t>& addresses, const PageRange& range, Bytes page) {
    for (std::uint64_t at = 0; at < range.bytes.value; at += page.value) addresses.push_back(range.address + at);
  }

  /// Of an object's page; objects may share one.
  bool is_first_at(std::size_t place, std::uintptr_t address) const {
    return place < pages_.size() && pages_[place].address == address &&
           (place == objects_from_ || pages_[place - 1].address != address);
  }

  void index_unmanaged() {
    unmanaged_.clear();
    for (std::size_t i = 0; i < objects_from_; ++i) unmanaged_.emplace_back(pages_[i].address, i);
    std::ranges::sort(unmanaged_);
  }

  std::vector<Page> pages_;
  std::size_t objects_from_ = 0;  // place in pages_
  std::vector<Name> unmanaged_;   // by address
};

/// Which of the pages were accessed since this was asked last: result[i] is of pages[i]. All false on a machine that
/// cannot watch pages.
class AccessedPages {
 public:
  AccessedPages(Machine& machine, std::span<const std::uintptr_t> pages)
      : size_(pages.size()), bits_(std::make_unique<bool[]>(pages.size())) {
    if (PageObserver* observer = machine.observer(); observer && !pages.empty())
      observer->scan_accessed(pages, {bits_.get(), size_}, true);
  }
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): make_unique makes all of them false
  bool operator[](std::size_t i) const { return bits_[i]; }

 private:
  std::size_t size_;
  std::unique_ptr<bool[]> bits_;
};

// Times and amounts of policies that were published for memories of another size.
//
// Policies were published for hundreds of gigabytes and minutes; programs here have megabytes and milliseconds. A
// policy goes through the memory at some rate (pages scanned, samples taken, bytes moved a second), so what it takes to
// go through all of it grows with the memory. Times and amounts are therefore scaled alike, by the footprint, and rates
// (bytes a second) stay as published.

/// How often a daemon looks whether it has something to do. The footprint, and with it every scaled time, is not known
/// when Policy::needs() is asked; so a policy asks for this interval and keeps its own time. Shorter than the
/// quantum of the presets (100,000 cycles): it runs at the end of every quantum.
inline constexpr Nanoseconds daemon_interval{20'000};

/// Assumption: what policies were published for without saying for how much memory. Merchandiser, Table 2: SpGEMM.
inline constexpr Bytes usual_published_footprint{429'300'000'000};

/// A published time, for a memory of `footprint` instead of `published_footprint` bytes (not 0).
inline Nanoseconds scaled(Nanoseconds published, Bytes published_footprint, Bytes footprint) {
  return published * (footprint / published_footprint);
}

/// A published amount, likewise; a page at least.
inline Bytes scaled(Bytes published, Bytes published_footprint, Bytes footprint, Bytes page) {
  const double bytes = static_cast<double>(published.value) * (footprint / published_footprint);
  return std::max(page, Bytes(static_cast<std::uint64_t>(std::llround(bytes))));
}

/// When a daemon is to do something next, on the clock of the machine.
class Alarm {
 public:
  bool rings(Nanoseconds now) const { return now >= next_; }
  void set(Nanoseconds next) { next_ = next; }

 private:
  Nanoseconds next_;
};

/// What a policy's decisions take on the thread that makes them.
class DecisionTimes {
 public:
  void add(Nanoseconds time) {
    ++count_;
    sum_ += time;
    longest_ = std::max(longest_, time);
  }
  std::size_t count() const { return count_; }
  /// For a remark; bench/run sicm reads it.
  std::string sentence() const {
    const Nanoseconds mean = count_ > 0 ? sum_ / static_cast<double>(count_) : Nanoseconds(0);
    return "a decision took " + std::to_string(std::llround(mean.value)) + " ns in the mean and " +
           std::to_string(std::llround(longest_.value)) + " ns at most";
  }

 private:
  std::size_t count_ = 0;
  Nanoseconds sum_{}, longest_{};
};

// How much may move: limits of rates, watermarks of the fastest tier, and plans of single pages.

/// So many bytes a nanosecond, and no more than `burst` at once after a rest.
class RateLimit {
 public:
  RateLimit(BytesPerNanosecond rate, Nanoseconds burst) : rate_(rate), burst_(burst) {}

  /// Grants up to `wanted` of the whole pages that may move now, and counts them.
  std::size_t grant(Nanoseconds now, std::size_t wanted, Bytes page) {
    const double most = std::max(rate_.value * burst_.value, static_cast<double>(page.value));
    saved_ = std::min(most, saved_ + rate_.value * (now - then_).value);
    then_ = now;
    const auto pages = std::min(wanted, static_cast<std::size_t>(saved_ / static_cast<double>(page.value)));
    saved_ -= static_cast<double>(pages * page.value);
    return pages;
  }

 private:
  BytesPerNanosecond rate_;
  Nanoseconds burst_;
  Nanoseconds then_;
  double saved_ = 0;  // bytes
};

/// Pages that have to leave the tier so that the share `free` of its capacity is free; 0 if it is.
inline std::size_t pages_below_watermark(Machine& machine, TierId tier, double free) {
  const Topology& topology = machine.topology();
  const Bytes room = machine.room(tier);
  const auto wanted =
      Bytes(static_cast<std::uint64_t>(free * static_cast<double>(topology.tiers[tier.value].capacity.value)));
  if (room >= wanted) return 0;
  return (wanted - room + topology.page - Bytes(1)).value / topology.page.value;
}

/// Adds the move of one page; neighbours that go to the same tier become one move.
inline void add_move(MigrationPlan& plan, std::uintptr_t page, Bytes bytes, TierId to) {
  if (!plan.moves.empty()) {
    PageMove& last = plan.moves.back();
    if (last.to == to && last.address + last.bytes.value == page) {
      last.bytes += bytes;
      return;
    }
  }
  plan.moves.push_back({.address = page, .bytes = bytes, .to = to});
}

/// Where pages go that leave a tier: to the next slower one with room, to the slowest in any case.
class TierBelow {
 public:
  /// `middle`: the tiers between the fastest and the slowest may be used.
  TierBelow(Machine& machine, TierId from, bool middle = true)
      : slowest_(static_cast<std::uint8_t>(machine.topology().tiers.size() - 1)), tier_(slowest_) {
    if (!middle) return;
    for (tier_ = TierId(from.value + 1); tier_ < slowest_; ++tier_.value) {
      room_.push_back(machine.room(tier_).value / machine.topology().page.value);
    }
    tier_ = TierId(from.value + 1);
  }

  /// Counts a page.
  TierId next() {
    while (tier_ < slowest_ && room_[at_] == 0) ++tier_.value, ++at_;
    if (tier_ < slowest_) --room_[at_];
    return tier_;
  }

 private:
  TierId slowest_, tier_;
  std::vector<std::uint64_t> room_;
  std::size_t at_ = 0;
};

/// So many pages down, then so many up to the fastest tier, and so on.
inline MigrationPlan by_turns(std::span<const std::uintptr_t> down, TierBelow& below,
                              std::span<const std::uintptr_t> up, std::size_t batch, Bytes page) {
  MigrationPlan plan;
  for (std::size_t at = 0; at < std::max(up.size(), down.size()); at += batch) {
    for (std::size_t i = at; i < std::min(at + batch, down.size()); ++i) add_move(plan, down[i], page, below.next());
    for (std::size_t i = at; i < std::min(at + batch, up.size()); ++i) add_move(plan, up[i], page, TierId(0));
  }
  return plan;
}

}  // namespace lbhm::placement
