#include "runtime/placement/value/residents.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lbhm::placement {

/// Tiers of single pages: those of ranges may be guessed (PageTracker).
template <class Visit>
void Residents::visit_pages(PolicyContext& context, std::span<const std::uintptr_t> keys, Visit visit) const {
  std::vector<std::uintptr_t> addresses;
  for (const std::uintptr_t key : keys) addresses.push_back(address_of(key));
  std::vector<TierId> tiers(addresses.size());
  context.where(addresses, tiers);
  for (std::size_t i = 0; i < tiers.size(); ++i)
    if (tiers[i] != no_tier) visit(keys[i], tiers[i]);
}

std::uintptr_t Residents::key_of(std::uintptr_t address) const {
  const auto found = keys_.find(address);
  return found != keys_.end() ? found->second : address;
}

std::uintptr_t Residents::address_of(std::uintptr_t key) const { return key < first_key ? key : addresses_.at(key); }

/// In the order of their first touch; those that are new get keys. What lies where one was may be an object's.
std::vector<std::uintptr_t> Residents::keys_of_no_object(PolicyContext& context) {
  std::vector<std::uintptr_t> keys;
  for (const PageRange& range : context.unmanaged()) {
    for (Bytes at; at < range.bytes; at += page_) {
      const std::uintptr_t address = range.address + at.value;
      const auto [found, fresh] = keys_.try_emplace(address, next_key_);
      if (fresh) addresses_.emplace(next_key_, address), next_key_ += page_.value;
      keys.push_back(found->second);
    }
  }
  if (keys.size() < keys_.size()) {
    const std::unordered_set<std::uintptr_t> there(keys.begin(), keys.end());
    std::erase_if(addresses_, [&](const auto& page) { return !there.contains(page.first); });
    std::erase_if(keys_, [&](const auto& page) { return !there.contains(page.second); });
  }
  return keys;
}

/// Of a range in one tier: what was there before stays what it is, the rest was born.
void Residents::take(Ranges& now, std::vector<PageRange>& born, const PageRange& range, TierId tier,
                     std::uint64_t long_ago) {
  const std::uintptr_t end = range.address + range.bytes.value;
  std::uintptr_t at = range.address;
  const auto is_born = [&](std::uintptr_t until) {
    if (at < until) born.push_back({at, Bytes(until - at)});
  };
  pages_.visit(range.address, end, [&](std::uintptr_t first, std::uintptr_t last, Page page) {
    is_born(first);
    page.tier = tier;
    if (page.since <= long_ago) page.since = 0;
    if (page.home) at_home_ += (last - first) / page_.value;
    now.join(first, last, page);
    at = last;
  });
  is_born(end);
}

void Residents::follow(PolicyContext& context, std::uint64_t capacity, std::uint64_t look, std::uint64_t long_ago) {
  page_ = context.machine().topology().page;
  Ranges now;
  std::vector<PageRange> born;
  at_home_ = 0, look_ = look;
  const PagePlacement placed = context.placement();
  for (std::size_t tier = 0; tier < placed.tiers.size(); ++tier)
    for (const PageRange& range : placed.tiers[tier])
      take(now, born, range, TierId(static_cast<std::uint8_t>(tier)), long_ago);
  visit_pages(context, keys_of_no_object(context),
              [&](std::uintptr_t key, TierId tier) { take(now, born, {key, page_}, tier, long_ago); });
  for (const PageRange& range : born) {
    std::vector<std::uintptr_t> fresh;
    for (Bytes at; at < range.bytes; at += page_) fresh.push_back(range.address + at.value);
    visit_pages(context, fresh, [&](std::uintptr_t key, TierId tier) {
      const bool home = at_home_ < capacity;
      now.join(key, key + page_.value, {.tier = tier, .home = home, .since = look});
      at_home_ += static_cast<std::uint64_t>(home);
    });
  }
  pages_ = std::move(now);
  count(context);
}

void Residents::count(PolicyContext& context) {
  count_ = away_ = 0;
  births_.clear();
  for (const auto& [begin, range] : pages_) {
    const std::uint64_t pages = (range.end - begin) / page_.value;
    count_ += pages;
    if (range.value.away()) away_ += pages;
  }
  extents_.assign(1, {});
  std::uint64_t of_objects = 0;
  for (const PlacedObject& object : context.objects()) {
    PageValues::Extent& extent = extents_.emplace_back();
    const Bytes whole = page_ * ((object.bytes + page_ - Bytes(1)).value / page_.value);
    extent = {.address = object.address, .bytes = whole, .site = object.site};
    pages_.visit(object.address, object.address + whole.value,
                 [&](std::uintptr_t begin, std::uintptr_t end, const Page& page) {
                   const std::uint64_t pages = (end - begin) / page_.value;
                   extent.pages += pages;
                   if (page.fast()) extent.fast_pages += pages;
                   if (look_ > 0 && page.since == look_) births_[object.site] += pages;
                 });
    of_objects += extent.pages;
  }
  extents_.front().pages = count_ - std::min(count_, of_objects);
}

const Residents::Page* Residents::find(std::uintptr_t key) const {
  const auto range = pages_.find(key);
  return range != pages_.end() ? &range->second.value : nullptr;
}

}  // namespace lbhm::placement
