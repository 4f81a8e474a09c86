// The memory calls of FakeMachine; included by fake_machine.h only.
#pragma once

#include <algorithm>

#include "tests/fake/fake_machine.h"

namespace lbhm::fake {

inline Result<void*> FakeMachine::reserve(Bytes bytes, Bytes alignment) {
  const std::size_t align = std::max(alignment.value, topology_.page.value);
  const std::size_t size = (page_count(bytes) * topology_.page.value + align - 1) / align * align;
  void* memory = refuse_reserve_ ? nullptr : std::aligned_alloc(align, size);
  if (!memory) return failure(StatusCode::no_memory, "the fake machine gives no memory; let it (refuse_reserve).");
  std::memset(memory, 0, size);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  map(address, page_count(bytes));
  const std::lock_guard guard(lock_);
  reserved_[address] = memory;
  return memory;
}

inline void FakeMachine::release(void* memory, Bytes bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  unmap(address, page_count(bytes));
  const std::lock_guard guard(lock_);
  if (reserved_.erase(address) > 0) std::free(memory);
}

inline Status FakeMachine::prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) {
  const std::lock_guard guard(lock_);
  for (const TierId tier : order) {
    if (tier.value >= used_.size()) {
      return {StatusCode::invalid_argument, "prefer: no such tier; name one of the fake machine's."};
    }
  }
  for (std::uint64_t i = 0; i < page_count(bytes); ++i) {
    const auto page = pages_.find(address + i * topology_.page.value);
    if (page != pages_.end()) page->second.order.assign(order.begin(), order.end());
  }
  return {};
}

inline Status FakeMachine::prefer_default(std::span<const TierId> order) {
  const std::lock_guard guard(lock_);
  default_order_.assign(order.begin(), order.end());
  return {};
}

inline std::vector<PageRange> FakeMachine::touched(PageRange range) {
  const std::lock_guard guard(lock_);
  std::vector<PageRange> parts;
  const std::uintptr_t last = range.address + range.bytes.value;
  const auto end = pages_.lower_bound(last);
  for (auto page = pages_.lower_bound(range.address); page != end; ++page) {
    if (page->second.tier == no_tier) continue;
    const Bytes bytes = std::min(topology_.page, Bytes(last - page->first));
    if (!parts.empty() && parts.back().address + parts.back().bytes.value == page->first)
      parts.back().bytes += bytes;
    else
      parts.push_back({page->first, bytes});
  }
  return parts;
}

inline void FakeMachine::where(std::span<const std::uintptr_t> pages, std::span<TierId> out) {
  const std::lock_guard guard(lock_);
  asked_where_ += pages.size();
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto page = pages_.find(pages[i]);
    out[i] = page == pages_.end() ? no_tier : page->second.tier;
  }
}

inline void FakeMachine::move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  const std::lock_guard guard(lock_);
  moves_.push_back({to, {pages.begin(), pages.end()}});
  std::map<std::uintptr_t, PageStatus> blocks;  // of this call: all pages of one have one status
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::uintptr_t block = block_of(pages[i]);
    if (!whole_.contains(block)) {
      out[i] = move_page(pages[i], to);
      continue;
    }
    if (!blocks.contains(block)) blocks[block] = move_block(block, to);
    out[i] = blocks[block];
  }
}

inline Bytes FakeMachine::room(TierId tier) {
  const std::lock_guard guard(lock_);
  const Bytes used = topology_.page * used_[tier.value], capacity = topology_.tiers[tier.value].capacity;
  return used < capacity ? capacity - used : Bytes(0);
}

inline void FakeMachine::map_to(std::uintptr_t address, std::uint64_t pages, TierId tier) {
  const std::lock_guard guard(lock_);
  for (std::uint64_t i = 0; i < pages; ++i) settle(pages_[address + i * topology_.page.value], tier);
}

/// Puts a page into a tier, or into none.
inline void FakeMachine::settle(Page& page, TierId tier) {
  if (page.tier != no_tier) --used_[page.tier.value];
  page.tier = tier;
  if (tier != no_tier) ++used_[tier.value];
  peak_ = std::max(peak_, std::accumulate(used_.begin(), used_.end(), std::uint64_t{0}));
}

inline void FakeMachine::forget(std::uintptr_t address) {
  const auto page = pages_.find(address);
  if (page == pages_.end()) return;
  settle(page->second, no_tier);
  pages_.erase(page);
}

inline void FakeMachine::appear(std::uintptr_t address) {
  const auto found = pages_.find(address);
  if (found == pages_.end() || found->second.tier != no_tier) return;
  Page& page = found->second;
  std::vector<TierId> order = page.order.empty() ? default_order_ : page.order;
  for (std::size_t t = 0; t < used_.size(); ++t) order.emplace_back(static_cast<std::uint8_t>(t));
  const auto tier = std::find_if(order.begin(), order.end(), [&](TierId t) { return !full(t); });
  if (tier != order.end()) settle(page, *tier);
}

inline PageStatus FakeMachine::move_page(std::uintptr_t address, TierId to) {
  const auto found = pages_.find(address);
  if (found == pages_.end()) return PageStatus::unmapped;
  if (const auto status = page_faults_[address].strike()) return *status;
  if (const auto status = fault_.strike()) return *status;
  Page& page = found->second;
  if (page.tier == to) return PageStatus::already;
  if (page.tier == no_tier) {
    page.order = {to};
    return PageStatus::placed;
  }
  if (full(to)) return PageStatus::full;
  settle(page, to);
  return PageStatus::moved;
}

/// All of a huge page, or nothing.
inline PageStatus FakeMachine::move_block(std::uintptr_t block, TierId to) {
  if (const auto status = page_faults_[block].strike()) return *status;
  if (pages_.at(block).tier == to) return PageStatus::already;
  if (full(to, unit_pages_)) return PageStatus::full;
  for (std::uint64_t i = 0; i < unit_pages_; ++i) settle(pages_.at(block + i * topology_.page.value), to);
  return PageStatus::moved;
}

}  // namespace lbhm::fake
