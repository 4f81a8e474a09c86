// The pages of all migratable objects, with the tier of each and what a policy remembers of it.
#pragma once

#include <algorithm>
#include <memory>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// `State` is what the policy remembers of a page; a page that is new, or was touched for the first time, has State{}.
template <class State>
class ManagedPages {
 public:
  struct Page {
    std::uintptr_t address = 0;  ///< of its first byte
    TierId tier = no_tier;       ///< no_tier: nobody has touched it yet
    State state{};
  };

  /// Asks anew which pages there are and where they lie. An object that took the place of a freed one is taken for it,
  /// as by a daemon that sees addresses only. Cost: O(pages).
  void refresh(PolicyContext& context) {
    std::vector<std::uintptr_t> addresses = addresses_of(context);
    std::vector<TierId> tiers(addresses.size());
    context.machine().where(addresses, tiers);
    std::vector<Page> fresh(addresses.size());
    auto old = pages_.begin();
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      while (old != pages_.end() && old->address < addresses[i]) ++old;
      const bool known = old != pages_.end() && old->address == addresses[i] && old->tier != no_tier;
      fresh[i] = {.address = addresses[i], .tier = tiers[i], .state = known ? std::move(old->state) : State{}};
    }
    pages_ = std::move(fresh);
  }

  /// By address.
  std::span<Page> all() { return pages_; }
  std::span<const Page> all() const { return pages_; }

  /// The page with this first address; null if it is not managed.
  Page* find(std::uintptr_t address) {
    const auto page = std::ranges::lower_bound(pages_, address, {}, &Page::address);
    return page != pages_.end() && page->address == address ? &*page : nullptr;
  }

  /// Pages in this tier.
  std::size_t count(TierId tier) const {
    return static_cast<std::size_t>(std::ranges::count(pages_, tier, &Page::tier));
  }
  /// Pages in any tier.
  std::size_t touched() const { return pages_.size() - count(no_tier); }

 private:
  static std::vector<std::uintptr_t> addresses_of(PolicyContext& context) {
    const std::uint64_t page = context.machine().topology().page.value;
    std::vector<std::uintptr_t> addresses;
    for (const PlacedObject& object : context.objects()) {
      for (std::uint64_t at = 0; at < object.bytes.value; at += page) addresses.push_back(object.address + at);
    }
    return addresses;
  }

  std::vector<Page> pages_;
};

/// Which of the pages were accessed since this was asked last: result[i] is of pages[i]. All false on a machine that
/// cannot watch pages.
class AccessedBits {
 public:
  AccessedBits(Machine& machine, std::span<const std::uintptr_t> pages)
      : size_(pages.size()), bits_(std::make_unique<bool[]>(pages.size())) {
    if (PageObserver* observer = machine.observer(); observer && !pages.empty())
      observer->scan_accessed(pages, {bits_.get(), size_}, true);
  }
  bool operator[](std::size_t i) const { return bits_[i]; }

 private:
  std::size_t size_;
  std::unique_ptr<bool[]> bits_;
};

}  // namespace lbhm::placement
