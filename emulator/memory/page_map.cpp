#include "emulator/memory/page_map.h"

#include <algorithm>
#include <new>

#include "emulator/base/process.h"

namespace lbhm::emulator {
namespace {

std::unique_ptr<PhysicalNode> node_of(const MachineDescription& machine) {
  std::array<std::uint64_t, maximum_tiers> pages{};
  for (std::size_t k = 0; k < machine.topology.tiers.size(); ++k) {
    const bool is_cache = machine.memory_mode && k == 0;
    pages[k] = is_cache ? 0 : machine.topology.tiers[k].capacity.value >> page_bits;
  }
  return std::make_unique<PrivateNode>(pages);
}

}  // namespace

PageMap::PageMap(const MachineDescription& machine)
    : tier_count_(machine.topology.tiers.size()),
      node_(node_of(machine)),
      load_(machine),
      llc_shares_(std::uint64_t{machine.core.llc.sets} * machine.core.llc.ways) {
  if (machine.memory_mode) make_memory_cache(machine.topology);
  TierOrder order;
  for (std::size_t k = 0; k < tier_count_; ++k) {
    open_at_start_[k] = has_room(k);
    order.push_back(TierId(static_cast<std::uint8_t>(k)));
  }
  preferences_.set_default(order);
  tiers_[no_page].store(no_tier.value, std::memory_order_relaxed);
}

void PageMap::keep_ids(PageId count) {
  const auto turn = lock_if_possible(lock_);
  if (!turn) return;
  last_id_ = std::min<std::uint64_t>(last_id_, std::uint64_t{next_id_} + count);
  tiers_.keep(last_id_ + 1);
  watch_.keep(last_id_ + 1);
  if (frames_) frames_->keep(last_id_ + 1);
}

const TierOrder& PageMap::order_of(PageNumber page) const {
  const TierOrder* own = preferences_.own_order(page);
  if (own) return *own;
  return unmanaged_order_.empty() || managed(page) ? preferences_.default_order() : unmanaged_order_;
}

template <class Open>
std::size_t PageMap::choose(PageNumber page, Open open) const {
  for (const TierId tier : order_of(page)) {
    if (tier.value < tier_count_ && open(tier.value)) return tier.value;
  }
  for (std::size_t tier = 0; tier < tier_count_; ++tier) {
    if (open(tier)) return tier;
  }
  return tier_count_ - 1;
}

/// Whether chance sends it to the first tier.
bool PageMap::is_scattered(PageNumber page, const FirstTouch& touch) const {
  return preferences_.own_order(page) == nullptr && chance_.is_fast(touch.core, touch.sequence);
}

void PageMap::assign(PageNumber number, Page& page) {
  const std::size_t tier = is_scattered(number, page.touch) && has_room(0)
                               ? 0
                               : choose(number, [this](std::size_t k) { return has_room(k); });
  if (!has_room(tier)) overflowed_.store(true, std::memory_order_relaxed);
  node_->take(tier);
  tiers_[page.id].store(static_cast<std::uint8_t>(tier), std::memory_order_relaxed);
  page.pending = false;
  if (!managed(number)) unmanaged_handed_out_.emplace_back(number, page.id);
  if (memory_cache_) give_frame(page.id);
}

PageId PageMap::touch(PageNumber number, const FirstTouch& touch) {
  const std::lock_guard guard(lock_);
  std::uint32_t& touched_in_chunk = touched_in_chunk_[number / chunk];  // first: memory may be short for one of the two
  auto [found, fresh] = pages_.try_emplace(number);
  Page& page = found->second;
  if (!fresh) {
    if (page.pending && touch < page.touch) page.touch = touch;
    return page.id;
  }
  ++touched_in_chunk;
  page = {.id = next_id_, .pending = !touch.at_once, .touch = touch};
  next_id_ = std::min(next_id_ + 1, last_id_);
  if (log_ != nullptr) log_->page_appears(page.id, number);
  if (!managed(number)) {
    ++unmanaged_touched_;
    ++unmanaged_live_;
  }
  if (touch.at_once) {
    assign(number, page);
  } else {
    const bool scattered = touch.alone && open_at_start_[0] && is_scattered(number, touch);
    const std::size_t tier = scattered ? 0 : choose(number, [this](std::size_t k) { return open_at_start_[k]; });
    tiers_[page.id].store(static_cast<std::uint8_t>(tier), std::memory_order_relaxed);
    pending_.push_back(number);
  }
  return page.id;
}

void PageMap::hand_out() {
  const std::lock_guard guard(lock_);
  hand_out_locked();
}

void PageMap::hand_out_locked() {
  peak_ = std::max<std::uint64_t>(peak_, pages_.size());
  PrivateVector<std::pair<FirstTouch, PageNumber>> order;
  order.reserve(pending_.size());
  for (const PageNumber number : pending_) {
    const auto found = pages_.find(number);  // gone, or touched anew, if it was released within the quantum
    if (found != pages_.end() && found->second.pending) order.emplace_back(found->second.touch, number);
  }
  pending_.clear();
  std::ranges::sort(order);
  for (const auto& [touch, number] : order) {
    Page& page = pages_.find(number)->second;
    if (page.pending) assign(number, page);
  }
  for (std::size_t k = 0; k < tier_count_; ++k) open_at_start_[k] = has_room(k);
}

void PageMap::let_go() {
  const std::lock_guard guard(lock_);
  for (const PageId id : going_) tiers_[id].store(no_tier.value, std::memory_order_relaxed);
  going_.clear();
}

void PageMap::prefer(PageNumberRange range, std::span<const TierId> order) {
  const std::lock_guard guard(lock_);
  preferences_.set(range.first, range.last, order);
}

void PageMap::prefer_default(std::span<const TierId> order) {
  const std::lock_guard guard(lock_);
  preferences_.set_default(order);
}

void PageMap::prefer_unmanaged(std::span<const TierId> order) {
  const std::lock_guard guard(lock_);
  unmanaged_order_.assign(order.begin(), order.end());
}

void PageMap::scatter(const Scatter& chance) {
  const std::lock_guard guard(lock_);
  chance_ = chance;
}

TierId PageMap::where(PageNumber number) {
  const std::lock_guard guard(lock_);
  return tier(id_of(number));
}

void PageMap::where(std::span<const std::uintptr_t> addresses, std::span<TierId> out) {
  const std::lock_guard guard(lock_);
  for (std::size_t i = 0; i < addresses.size(); ++i) out[i] = tier(id_of(addresses[i] >> page_bits));
}

PageStatus PageMap::move(PageNumber number, TierId to, TierId& from) {
  const std::lock_guard guard(lock_);
  const auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (!managed(number)) return PageStatus::unmapped;
    preferences_.set(number, number + 1, {&to, 1});
    return PageStatus::placed;
  }
  Page& page = found->second;
  if (page.pending) hand_out_locked();
  from = tier(page.id);
  if (from == to) return PageStatus::already;
  if (!has_room(to.value)) return PageStatus::full;
  node_->give(from.value);
  node_->take(to.value);
  tiers_[page.id].store(to.value, std::memory_order_relaxed);
  return PageStatus::moved;
}

Bytes PageMap::room(TierId tier) {
  const std::lock_guard guard(lock_);
  hand_out_locked();
  return Bytes(node_->room(tier.value) << page_bits);
}

Bytes PageMap::room_now(std::size_t tier) {
  const std::lock_guard guard(lock_);
  return Bytes(node_->room(tier) << page_bits);
}

Bytes PageMap::peak_footprint() {
  const std::lock_guard guard(lock_);
  peak_ = std::max<std::uint64_t>(peak_, pages_.size());
  return Bytes(peak_ << page_bits);
}

// The part of the page map that the cores share beside the tiers of pages: physical frames, and what ends a quantum.

void PageMap::make_memory_cache(const Topology& topology) {
  memory_cache_ = std::make_unique<MemoryCache>(topology.tiers[0].capacity.value >> line_bits);
  frame_count_ = std::min<std::uint64_t>(topology.tiers[1].capacity.value >> page_bits, 1u << 31);
  frame_order_ = FrameOrder(frame_count_);
  frames_.emplace();
}

void PageMap::give_frame(PageId id) {
  const std::uint64_t frame = frame_order_.nth(frames_given_++ % frame_count_);
  (*frames_)[id].store(static_cast<PhysicalFrame>(frame + 1), std::memory_order_relaxed);
}

std::optional<PhysicalFrame> PageMap::physical_frame(PageId id) const {
  const PhysicalFrame frame = (*frames_)[id].load(std::memory_order_relaxed);
  return frame == 0 ? std::nullopt : std::optional(frame - 1);
}

PrivateVector<PageId> PageMap::ids_of(std::span<const std::uintptr_t> addresses) {
  PrivateVector<PageId> ids(addresses.size());
  const std::lock_guard guard(lock_);
  for (std::size_t i = 0; i < addresses.size(); ++i) ids[i] = id_of(addresses[i] >> page_bits);
  return ids;
}

void PageMap::end_quantum() {
  hand_out();
  let_go();
  llc_shares_.divide();
  if (memory_cache_) memory_cache_->merge();
  watch_.end_quantum();
  flushes_.publish();
}

}  // namespace lbhm::emulator
