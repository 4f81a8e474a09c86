// TieredMemory: which pages move together.
//
// Linux moves a huge page whole when any of its pages is named, and does not tell an ordinary process which pages are
// in one: /proc/self/smaps counts them by mapping, a scan of the pagemap (since 6.7) misses those whose mapping was
// split. So a block in which there may be one by the settings, and whose pages are all on one node, is taken for one:
// if it is not, it moves whole all the same, because we name all of its pages.
#include <algorithm>
#include <array>
#include <bitset>
#include <memory>
#include <unordered_map>

#include "runtime/machine/page_presence.h"
#include "runtime/machine/tiered_memory.h"

namespace lbhm::host {
namespace {

constexpr std::size_t most_pages = huge_page.value / 4096;  // no page of Linux is smaller

std::uintptr_t block_of(std::uintptr_t page) { return page / huge_page.value * huge_page.value; }

std::vector<std::uintptr_t> pages_of(std::uintptr_t block, std::uint64_t page) {
  std::vector<std::uintptr_t> pages;
  for (std::uintptr_t at = block; at < block + huge_page.value; at += page) pages.push_back(at);
  return pages;
}

/// Pages that a sampler made PROT_NONE are nowhere for older kernels, and there all the same.
bool have_all_contents(std::span<const std::uintptr_t> pages) {
  std::array<bool, most_pages> present;
  const std::span out = std::span(present).first(pages.size());
  have_contents(pages, out);
  return std::ranges::all_of(out, [](bool there) { return there; });
}

}  // namespace

bool TieredMemory::may_be_huge(std::uintptr_t address) const {
  if (!huge_possible_) return false;
  const std::lock_guard guard(lock_);
  const auto after = reserved_.upper_bound(address);
  if (after == reserved_.begin()) return always_huge_;
  const auto& [begin, bytes] = *std::prev(after);
  if (address >= begin + bytes.value || options_.huge_pages == HugePages::kernel) return always_huge_;
  return options_.huge_pages == HugePages::on;
}

bool TieredMemory::moves_whole(std::uintptr_t address) {
  const std::uintptr_t block = block_of(address);
  if (!may_be_huge(block)) return false;
  const std::vector<std::uintptr_t> pages = pages_of(block, page_);
  std::array<int, most_pages> answers;
  const std::span nodes = std::span(answers).first(pages.size());
  mover_.where(pages, nodes);
  std::vector<std::uintptr_t> unseen;
  int node = no_node;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (nodes[i] == no_node) {
      unseen.push_back(pages[i]);
    } else if (node != no_node && nodes[i] != node) {
      return false;
    } else {
      node = nodes[i];
    }
  }
  return node != no_node && (unseen.empty() || have_all_contents(unseen));
}

/// Which of the pages move whole.
std::vector<bool> TieredMemory::in_units(std::span<const std::uintptr_t> pages) {
  std::vector<bool> whole(pages.size());
  if (!huge_possible_) return whole;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const bool known = i > 0 && block_of(pages[i]) == block_of(pages[i - 1]);
    whole[i] = known ? whole[i - 1] : moves_whole(pages[i]);
  }
  return whole;
}

/// How many pages of the unit of this page are not in the tier. Under lock_.
std::uint64_t TieredMemory::missing_of(std::uintptr_t page, bool whole, TierId to) const {
  if (!whole) return account_.at(page) != to;
  const std::uintptr_t block = block_of(page);
  return (huge_page - account_.held(block, block + huge_page.value, to)).value / page_;
}

/// Of a huge page that lies across two batches of the mover, the second finds its pages there already: the first has
/// moved them. It was on one node, so all of it moved if any did.
void TieredMemory::count_whole(std::span<const std::uintptr_t> pages, const std::vector<bool>& whole,
                               std::span<PageStatus> status) {
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t end = i + 1;
    while (whole[i] && end < pages.size() && block_of(pages[end]) == block_of(pages[i])) ++end;
    const auto unit = status.subspan(i, end - i);
    if (whole[i] && std::ranges::find(unit, PageStatus::moved) != unit.end())
      std::ranges::replace(unit, PageStatus::already, PageStatus::moved);
    i = end;
  }
}

/// Huge pages that the settings do not speak of (a program may advise its own memory) take pages along that nobody
/// named: they are where the others are now. One that was elsewhere tells for its block.
void TieredMemory::note_company(std::span<const std::uintptr_t> pages, TierId to, std::span<const PageStatus> status) {
  if (!huge_possible_) return;
  std::unordered_map<std::uintptr_t, std::bitset<most_pages>> named;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (status[i] == PageStatus::moved) named[block_of(pages[i])].set((pages[i] - block_of(pages[i])) / page_);
  }
  std::vector<std::uintptr_t> witnesses;
  {
    const std::lock_guard guard(lock_);
    for (const auto& entry : named) {
      const std::uintptr_t block = entry.first;
      const auto& these = entry.second;
      const auto all = pages_of(block, page_);
      const auto witness = std::ranges::find_if(
          all, [&](std::uintptr_t at) { return !these[(at - block) / page_] && account_.at(at) != to; });
      if (witness != all.end()) witnesses.push_back(*witness);
    }
  }
  std::vector<int> nodes(witnesses.size());
  mover_.where(witnesses, nodes);
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    if (tier_of(nodes[i]) != to) continue;
    const auto all = pages_of(block_of(witnesses[i]), page_);
    std::vector<int> at(all.size());
    mover_.where(all, at);
    const std::lock_guard guard(lock_);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (tier_of(at[k]) == to) account_.assign(all[k], all[k] + page_, to);
  }
}

}  // namespace lbhm::host
