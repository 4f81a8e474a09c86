#include "runtime/host/sampling/armed_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

#include "runtime/host/sampling/obstacles.h"
#include "runtime/host/sampling/pauses.h"

namespace lbhm::sampling {
namespace {

// Low bits of a slot: protection (0 to 7), reasons (0 to 7), and one that no empty slot has.
constexpr unsigned reason_shift = 3;
constexpr std::uint64_t used_bit = 1u << 6;
constexpr std::uint64_t low_bits = 0xfff;
constexpr std::size_t least_slots = 1024;

std::uint64_t pack(std::uintptr_t page, ArmedPages::Entry entry) {
  return page | used_bit | entry.reasons << reason_shift | static_cast<unsigned>(entry.protection);
}
ArmedPages::Entry unpack(std::uint64_t slot) {
  return {.protection = static_cast<int>(slot & 7), .reasons = static_cast<unsigned>(slot >> reason_shift & 7)};
}

std::atomic<ArmedMemory*> the_memory{nullptr};

/// The armed pages around one of them with the same protection before: the kernel joins them to one mapping.
Run run_around(const ArmedMemory& s, std::uintptr_t page, std::size_t most) {
  const int protection = s.armed.find(page).protection;
  const auto alike = [&](std::uintptr_t other) {
    const ArmedPages::Entry entry = s.armed.find(other);
    return entry.reasons != 0 && entry.protection == protection;
  };
  Run run{.first = page, .pages = 1, .protection = protection};
  while (run.pages < most && alike(run.first + run.pages * s.page)) ++run.pages;
  while (run.pages < most && run.first >= s.page && alike(run.first - s.page)) {
    run.first -= s.page;
    ++run.pages;
  }
  return run;
}

constexpr std::size_t slots_at_once = 1 << 14;  // tens of microseconds

/// Looks at slots from `slot` for a page of [first, end) that is armed, and puts it back with its neighbours. Returns
/// where to go on.
std::size_t release_next(ArmedMemory& s, std::size_t slot, std::uintptr_t first, std::uintptr_t end) {
  const std::size_t last = std::min(s.armed.slots(), slot + slots_at_once);
  const auto meant = [&](std::uintptr_t page) { return page != 0 && page < end && page + s.page > first; };
  while (slot < last && !meant(s.armed.armed_at(slot))) ++slot;
  if (slot == last) return last;
  const std::uintptr_t page = s.armed.armed_at(slot);
  const Run run = run_around(s, page, most_run_pages);
  if (protect(s, run, run.protection)) {
    forget(s, run);
  } else {
    release(s, page);
  }
  return slot + 1;
}

/// Short ranges: page by page.
void put_back_pages(ArmedMemory& s, std::uintptr_t first, std::uintptr_t end) {
  for (std::uintptr_t page = first & ~(s.page - 1); page < end; page += s.page)
    if (s.armed.find(page).reasons != 0) release_neighbours(s, {&page, 1});
}

}  // namespace

/// The slot of the page, or the empty one where it would go. There is always an empty one.
std::size_t ArmedPages::slot_of(std::uintptr_t page) const {
  // Fibonacci hashing: neighbouring pages go far apart.
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (page / page_ * 0x9e3779b97f4a7c15u) >> (64 - std::bit_width(mask | 1)) & mask;
  while (slots_[at] != 0 && (slots_[at] & ~low_bits) != page) at = (at + 1) & mask;
  return at;
}

bool ArmedPages::reserve(std::size_t more) {
  if (2 * (used_ + more) <= slots_.size()) return true;
  // What is no longer armed goes; then there is room for as much again before the next time.
  std::size_t count = std::bit_ceil(4 * (armed_ + more));
  if (count < least_slots) count = least_slots;
  MappedArray<Slot> slots(count);
  if (slots.size() == 0) return false;
  rehash(std::move(slots));
  return true;
}

void ArmedPages::rehash(MappedArray<Slot> slots) {
  slots_.swap(slots);
  used_ = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (unpack(slots[i]).reasons == 0) continue;
    slots_[slot_of(slots[i] & ~low_bits)] = slots[i];
    ++used_;
  }
}

ArmedPages::Entry ArmedPages::find(std::uintptr_t page) const {
  if (slots_.size() == 0) return {};
  return unpack(slots_[slot_of(page)]);
}

void ArmedPages::set(std::uintptr_t page, Entry entry) {
  Slot& slot = slots_[slot_of(page)];
  if (slot == 0) ++used_;
  armed_ -= unpack(slot).reasons != 0;
  armed_ += entry.reasons != 0;
  slot = pack(page, entry);
}

std::uintptr_t ArmedPages::armed_at(std::size_t slot) const {
  return unpack(slots_[slot]).reasons != 0 ? slots_[slot] & ~low_bits : 0;
}

ArmedMemory* armed_memory() { return the_memory.load(std::memory_order_acquire); }

ArmedMemory* make_armed_memory() {
  static ArmedMemory* const made = [] {
    MappedArray<ArmedMemory> memory(begin_watching() ? 1 : 0);
    if (memory.size() == 0) return static_cast<ArmedMemory*>(nullptr);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto* const at = new (memory.release()) ArmedMemory(page, process_words()->pages);
    the_memory.store(at, std::memory_order_release);
    return at;
  }();
  return made && begin_watching() ? made : nullptr;
}

bool protect(const ArmedMemory& s, const Run& run, int protection) {
  return direct::protect(run.first, run.pages * s.page, protection);
}

void forget(ArmedMemory& s, const Run& run) {
  for (std::size_t i = 0; i < run.pages; ++i) s.armed.set(run.first + i * s.page, {.protection = run.protection});
}

/// Puts a page back. Where the kernel has no room for the pieces of the mapping, the whole of it.
void release(ArmedMemory& s, std::uintptr_t page) {
  Run run{.first = page, .pages = 1, .protection = s.armed.find(page).protection};
  if (!protect(s, run, run.protection)) {
    const Run whole = run_around(s, page, ~std::size_t{0});
    if (protect(s, whole, whole.protection)) {
      s.given_back += whole.pages - 1;
      run = whole;
    }  // else it is not mapped any more: the next access will tell
  }
  forget(s, run);
}

/// Pages that follow each other in the list and in memory go back with one call.
void release_neighbours(ArmedMemory& s, std::span<const std::uintptr_t> pages) {
  for (std::size_t i = 0; i < pages.size();) {
    Run run{.first = pages[i], .pages = 1, .protection = s.armed.find(pages[i]).protection};
    const auto armed_alike = [&](std::uintptr_t page) {
      const ArmedPages::Entry entry = s.armed.find(page);
      return entry.reasons != 0 && entry.protection == run.protection;
    };
    if (!armed_alike(pages[i++])) continue;
    while (i < pages.size() && pages[i] == run.first + run.pages * s.page && armed_alike(pages[i])) ++run.pages, ++i;
    if (protect(s, run, run.protection)) {
      forget(s, run);
    } else {
      for (std::size_t k = 0; k < run.pages; ++k) release(s, run.first + k * s.page);
    }
  }
}

void put_back(std::uintptr_t first, std::uintptr_t end) {
  ArmedMemory* const s = armed_memory();
  if (!s || s->armed_now.load(std::memory_order_seq_cst) == 0 || first >= end) return;
  if ((end - first) / s->page < most_run_pages) {
    const Hold hold(*s);
    return put_back_pages(*s, first, end);
  }
  std::size_t slots = 0;
  for (std::size_t slot = 0; slot <= slots && s->armed_now.load(std::memory_order_relaxed) != 0;) {
    const Hold hold(*s);
    slots = s->armed.slots();
    slot = release_next(*s, slot, first, end);
    if (slot >= slots) return;
  }
}

}  // namespace lbhm::sampling
