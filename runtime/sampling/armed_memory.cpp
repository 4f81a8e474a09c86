#include "runtime/sampling/armed_memory.h"

#include <algorithm>
#include <array>
#include <new>

#include "runtime/sampling/direct_calls.h"
#include "runtime/sampling/process_words.h"

namespace lbhm::sampling {
namespace {

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
