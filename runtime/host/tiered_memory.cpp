#include "runtime/host/tiered_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "runtime/host/capacity.h"
#include "runtime/host/memory_calls.h"

namespace lbhm::host {
namespace {

constexpr std::size_t asked_at_once = 4096;  // pages; the batch of the page mover

/// Is this what the kernel is set to ("always [madvise] never")? No: there are no huge pages.
bool huge_pages_are(const Sysfs& sysfs, const char* word) {
  const auto text = sysfs.text("sys/kernel/mm/transparent_hugepage/enabled");
  return text && text->find(word) != std::string::npos;
}

}  // namespace

TieredMemory::TieredMemory(TieredMemoryOptions options)
    : options_(std::move(options)),
      sysfs_(options_.root),
      page_(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))),
      always_huge_(huge_pages_are(sysfs_, "[always]")),
      huge_possible_(always_huge_ || huge_pages_are(sysfs_, "[madvise]")),
      mover_(options_.mover),
      rooms_(options_.tiers.size(), TierRoom(options_.room_counts_for)),
      own_policy_(policy_of_this_thread()),
      threads_choose_(own_policy_.says_something() && own_policy_.mode != MPOL_BIND),
      copies_(options_.tiers.size()) {
  for (std::size_t tier = 0; tier < options_.tiers.size(); ++tier) {
    for (const int node : options_.tiers[tier].nodes) {
      const auto index = static_cast<std::size_t>(node);
      if (tier_of_node_.size() <= index) tier_of_node_.resize(index + 1, no_tier);
      tier_of_node_[index] = TierId(static_cast<std::uint8_t>(tier));
    }
  }
}

void* TieredMemory::map(Bytes bytes, Bytes alignment, int flags, Bytes front) {
  const bool huge = options_.huge_pages == HugePages::on && bytes >= huge_page;
  void* const memory =
      map_aligned(bytes, Bytes(page_), huge ? std::max(alignment, huge_page) : alignment, flags, front);
  if (!memory) return nullptr;
  if (huge) advise(memory, bytes, MADV_HUGEPAGE);
  if (options_.huge_pages == HugePages::off) advise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

Result<void*> TieredMemory::reserve(Bytes bytes, Bytes alignment, Bytes front) {
  // Nobody hears of a refusal here but the report: memory that is there is good, it only appears elsewhere.
  const std::lock_guard guard(lock_);
  void* const memory = map(bytes, alignment, 0, front);
  if (!memory) {
    ++unmanaged_;
    mmap_error_ = errno;
    return failure(StatusCode::no_memory, "mmap found no memory for an object");
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  if (front.value > 0) fronts_[begin] = front;
  const Range range{begin, begin + (bytes.value + page_ - 1) / page_ * page_};
  begin_managed(range, reserved_);
  if (thread_binds())
    mark(range, true);
  else
    (void)once(place_new(range));
  return memory;
}

Result<void*> TieredMemory::reserve_for_blocks(Bytes bytes, Bytes alignment, TierId tier) {
  const std::lock_guard guard(lock_);
  void* const memory = map(bytes, alignment, MAP_NORESERVE);
  if (!memory)
    return failure(StatusCode::no_memory, "mmap found no addresses for " + std::to_string(bytes.value >> 20) + " MiB");
  const auto nodes = targets(tier, node_of_this_thread());
  (void)once(options_.place(reinterpret_cast<std::uintptr_t>(memory), bytes, nodes, options_.spread));
  return memory;
}

bool TieredMemory::promise(std::uintptr_t begin, Bytes bytes, TierId tier) {
  const std::lock_guard guard(lock_);
  settle();
  const bool granted = left_of(tier) >= bytes && take(tier, bytes) == bytes;
  if (granted) account_.assign(begin, begin + bytes.value, tier);
  settle();
  return granted;
}

void TieredMemory::advise(void* address, Bytes bytes, int advice) {
  const KeepErrno keep;
  if (madvise(address, bytes.value, advice) != 0) advice_error_ = errno;
}

void TieredMemory::release(void* address, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::lock_guard guard(lock_);
  // Forgotten before the kernel may give the addresses to somebody else.
  account_.assign(begin, begin + bytes.value, no_tier);
  end_managed({begin, begin + bytes.value});
  fronts_.erase(fronts_.lower_bound(begin), fronts_.lower_bound(begin + bytes.value));
  munmap(address, bytes.value);
  settle();
}

void TieredMemory::adopt(std::uintptr_t address, Bytes bytes) {
  const auto parts = nodes_of({address, address + bytes.value});
  const std::lock_guard guard(lock_);
  begin_managed({address, address + bytes.value}, adopted_);
  const bool binds = thread_binds();
  for (const auto& [range, node] : parts) {
    if (binds)
      mark(range, true);
    else if (node != no_node)
      account_.assign(range.first, range.second, tier_of(node));
    else
      (void)once(place_new(range));
  }
  settle();
}

void TieredMemory::disown(std::uintptr_t address, Bytes bytes) {
  const std::lock_guard guard(lock_);
  account_.assign(address, address + bytes.value, no_tier);
  end_managed({address, address + bytes.value});
  settle();
}

std::vector<ManagedRange> TieredMemory::reserved() const {
  const std::lock_guard guard(lock_);
  std::vector<ManagedRange> ranges;
  ranges.reserve(reserved_.size());
  for (const auto& [begin, range] : reserved_) ranges.push_back({begin, Bytes(range.end - begin)});
  return ranges;
}

void TieredMemory::prefer_default(std::span<const TierId> order) {
  const std::lock_guard guard(lock_);
  default_order_.assign(order.begin(), order.end());
}

void TieredMemory::scatter(const Scatter& chance) {
  const std::lock_guard guard(lock_);
  chance_ = chance;
  lucky_order_ = {TierId(0)};
  std::ranges::copy_if(default_order_, std::back_inserter(lucky_order_), [](TierId tier) { return tier.value != 0; });
}

/// Neighbours of one luck are one call: the kernel keeps a mapping for each (vm.max_map_count).
Status TieredMemory::place_new(Range range) {
  if (!chance_) return default_order_.empty() ? Status() : prefer_untouched(range, default_order_);
  Status status;
  for (std::uintptr_t at = range.first; at < range.second;) {
    const bool lucky = chance_->is_fast(0, drawn_);
    std::uintptr_t end = at;
    for (; end < range.second && chance_->is_fast(0, drawn_) == lucky; end += page_) ++drawn_;
    const Range run{at, std::min(end, range.second)};
    if (status.ok()) status = prefer_untouched(run, lucky ? lucky_order_ : default_order_);
    at = end;
  }
  return status;
}

Status TieredMemory::prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) {
  if (order.empty() || bytes.value == 0) return {};
  const Range range{address / page_ * page_, (address + bytes.value + page_ - 1) / page_ * page_};
  const std::vector<Range> untouched = untouched_of(range);
  const std::lock_guard guard(lock_);
  for (const Range& range_part : untouched)
    for (const Range& part : free_of(range_part))
      if (Status status = prefer_untouched(part, order); !status.ok()) return once(std::move(status));
  return {};
}

Status TieredMemory::once(Status status) {
  if (status.ok() || std::exchange(complained_, true)) return {};
  remarks_.push_back(status.message());
  return status;
}

TierId TieredMemory::tier_of(int node) const {
  const auto index = static_cast<std::size_t>(node);
  if (node < 0) return no_tier;
  const TierId tier = index < tier_of_node_.size() ? tier_of_node_[index] : no_tier;
  // A node that is in no tier is there nonetheless: the least that can be said of it is that it is slow.
  return tier == no_tier ? TierId(static_cast<std::uint8_t>(options_.tiers.size() - 1)) : tier;
}

Bytes TieredMemory::take(TierId tier, Bytes wanted) {
  if (tier.value + 1u >= options_.tiers.size()) return wanted;
  return options_.ledger->take(tier, wanted, options_.tiers[tier.value].tier.capacity);
}

void TieredMemory::settle() {
  Ledger::Amounts own = pending_;
  for (std::size_t tier = 0; tier < own.size(); ++tier)
    own[tier] += account_.held(TierId(static_cast<std::uint8_t>(tier)));
  options_.ledger->settle(own);
}

std::vector<TieredMemory::Range> TieredMemory::untouched_of(Range range) {
  std::vector<Range> untouched;
  for (const auto& [part, node] : nodes_of(range))
    if (node == no_node) untouched.push_back(part);
  return untouched;
}

std::vector<std::pair<TieredMemory::Range, int>> TieredMemory::nodes_of(Range range) {
  std::vector<std::pair<Range, int>> parts;
  std::vector<std::uintptr_t> pages;
  std::vector<int> nodes;
  for (std::uintptr_t at = range.first; at < range.second; at += pages.size() * page_) {
    pages.resize(std::min<std::size_t>(asked_at_once, (range.second - at) / page_));
    nodes.resize(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = at + i * page_;
    mover_.where(pages, nodes);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const int node = nodes[i] < 0 ? no_node : nodes[i];
      if (!parts.empty() && parts.back().second == node && parts.back().first.second == pages[i])
        parts.back().first.second += page_;
      else
        parts.push_back({{pages[i], pages[i] + page_}, node});
    }
  }
  return parts;
}

/// The first tier of the order takes what it has room for, the next one what is left, and the last one all the rest.
Status TieredMemory::prefer_untouched(Range range, std::span<const TierId> order) {
  Status status;
  account_.assign(range.first, range.second, no_tier);  // what was promised before is free again
  settle();
  std::uintptr_t at = range.first;
  for (const TierId tier : order) {
    if (at >= range.second || tier.value >= options_.tiers.size()) break;
    const Bytes left(range.second - at);
    const Bytes granted(tier == order.back() ? left.value : take(tier, left).value / page_ * page_);
    if (granted.value == 0) continue;
    if (status = appear({at, at + granted.value}, tier); !status.ok()) break;
    at += granted.value;
  }
  settle();
  return status;
}

Status TieredMemory::appear(Range range, TierId tier) {
  const auto in_front = fronts_.find(range.first);
  const Bytes front = in_front == fronts_.end() ? Bytes(0) : in_front->second;
  const Bytes bytes(range.second - range.first);
  Status status =
      options_.place(range.first - front.value, front + bytes, targets(tier, node_of_this_thread()), options_.spread);
  if (status.ok()) account_.assign(range.first, range.second, tier);
  return status;
}

std::vector<int> TieredMemory::targets(TierId to, int from) const {
  return nearest_first(options_.nodes, from, options_.tiers[to.value].nodes);
}

void TieredMemory::where(std::span<const std::uintptr_t> pages, std::span<TierId> out) {
  std::vector<int> nodes(pages.size());
  mover_.where(pages, nodes);
  std::ranges::transform(nodes, out.begin(), [this](int node) { return tier_of(node); });
  // What the kernel put elsewhere than it was asked to, or moved by itself.
  const std::lock_guard guard(lock_);
  bool changed = false;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const TierId known = account_.at(pages[i]);
    if (known == no_tier || out[i] == no_tier || known == out[i]) continue;
    account_.assign(pages[i], pages[i] + page_, out[i]);
    changed = true;
  }
  if (changed) settle();
}

Bytes TieredMemory::room(TierId tier) {
  if (tier.value >= options_.tiers.size()) return Bytes(0);
  const std::lock_guard guard(lock_);
  return left_of(tier);
}

Bytes TieredMemory::left_of(TierId tier) {
  return rooms_[tier.value].left(account_.held(tier), [&] { return read_room(tier); });
}

Bytes TieredMemory::read_room(TierId tier) {
  std::optional<Bytes> free;  // nothing: the kernel does not say
  for (const int node : options_.tiers[tier.value].nodes)
    if (const auto of_node = available(sysfs_, node)) free = free.value_or(Bytes(0)) + *of_node;
  Bytes left(~std::uint64_t{0});
  if (tier.value + 1u < options_.tiers.size()) {
    const Bytes capacity = options_.tiers[tier.value].tier.capacity;
    left = capacity - std::min(options_.ledger->taken(tier), capacity);
  }
  return std::min(free.value_or(left), left);
}

std::vector<std::string> TieredMemory::remarks() const {
  const std::lock_guard guard(lock_);
  std::vector<std::string> lines = remarks_;
  if (ever_bound_.value > 0)
    lines.push_back(std::to_string(ever_bound_.value) +
                    " bytes of managed memory are bound by the program or its user (mbind, set_mempolicy, numactl): "
                    "they are where these say, and nothing moves them");
  if (std::string sentence = mover_.remark(); !sentence.empty()) lines.push_back(std::move(sentence));
  if (unmanaged_ > 0)
    lines.push_back("mmap found no memory for " + std::to_string(unmanaged_) + " managed objects (" +
                    std::strerror(mmap_error_) +
                    "): they are ordinary memory and stay where the kernel puts them; raise the limits of address "
                    "space (ulimit -v) and mappings (sysctl vm.max_map_count)");
  if (const std::uint64_t misses = options_.ledger->misses(); misses > 0)
    lines.push_back("the lock that the processes of this user share was not to be had " + std::to_string(misses) +
                    " times: objects went to slow memory meanwhile; look for a stopped process that uses LB-HM, or "
                    "raise the limit of open files (ulimit -n)");
  if (std::string sentence = options_.ledger->remark(); !sentence.empty())
    lines.push_back("fast memory is not shared out among processes as it should be: " + std::move(sentence));
  if (advice_error_ != 0)
    lines.push_back(std::string("madvise failed (") + std::strerror(advice_error_) +
                    "): objects have the pages that the kernel gives them; LBHM_HUGE_PAGES needs a kernel with "
                    "transparent huge pages, and LBHM_HUGE_PAGES=kernel asks for nothing");
  return lines;
}

}  // namespace lbhm::host
