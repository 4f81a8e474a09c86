#include "runtime/sampling/hint_faults.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "runtime/sampling/event_clock.h"
#include "runtime/sampling/fault_handler.h"
#include "runtime/sampling/fault_lock.h"
#include "runtime/sampling/mappings.h"

namespace lbhm::sampling {
namespace {

/// Neighbouring pages that are treated alike. At most this many at once: as long as the lock is held others wait.
struct Run {
  std::uintptr_t first = 0;
  std::size_t pages = 0;
  int protection = 0;
};
constexpr std::size_t most_run_pages = 4096;

/// What the handler works on. In memory of its own, never freed: a fault may be under way at any time.
struct State {
  explicit State(std::size_t page_bytes) : page(page_bytes), armed(page_bytes) {}

  const std::size_t page;
  FaultLock lock;  // of all that follows
  ArmedPages armed;
  std::uint64_t generation = 0;  // grows whenever pages are armed
  MappedArray<HintFault> records{HintFaults::most_records};
  MappedArray<HintFault> drained{HintFaults::most_records};  // swapped with records
  std::size_t recorded = 0;
  std::uint64_t unrecorded = 0;
  std::uint64_t given_back = 0;
  std::atomic<LaneId (*)()> lane{nullptr};
  std::atomic<std::size_t> armed_now{0};
  std::atomic<std::uint64_t> resolved{0};
};

std::atomic<State*> the_state{nullptr};
std::mutex callers;  // those outside of the handler, one after the other

State* state() {
  static State* const made = [] {
    MappedArray<State> memory(1);
    if (memory.size() == 0) return static_cast<State*>(nullptr);
    auto* const at = new (memory.release()) State(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    the_state.store(at, std::memory_order_release);
    return at;
  }();
  return made;
}

/// Blocks the signals of the thread and holds the lock: nothing that may be armed is to be touched meanwhile.
class Hold {
 public:
  explicit Hold(State& s) : state_(s) { state_.lock.lock(); }
  ~Hold() {
    state_.armed_now.store(state_.armed.armed(), std::memory_order_relaxed);
    state_.lock.unlock();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  SignalsBlocked signals_;
  State& state_;
};

bool protect(const State& s, const Run& run, int protection) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of pages travel as numbers
  return mprotect(reinterpret_cast<void*>(run.first), run.pages * s.page, protection) == 0;
}

/// The armed pages around one of them with the same protection before: the kernel joins them to one mapping.
Run run_around(const State& s, std::uintptr_t page, std::size_t most) {
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

void forget(State& s, const Run& run) {
  for (std::size_t i = 0; i < run.pages; ++i) s.armed.set(run.first + i * s.page, {.protection = run.protection});
}

/// Puts a page back. Where the kernel has no room for the pieces of the mapping, the whole of it.
void release(State& s, std::uintptr_t page) {
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
void release_neighbours(State& s, std::span<const std::uintptr_t> pages) {
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

/// Looks at slots from `slot` to `end` for a page that is armed, and puts it back with its neighbours. Returns where to
/// go on.
std::size_t release_first_of(State& s, std::size_t slot, std::size_t end) {
  while (slot < end && s.armed.armed_at(slot) == 0) ++slot;
  if (slot == end) return end;
  const std::uintptr_t page = s.armed.armed_at(slot);
  const Run run = run_around(s, page, most_run_pages);
  if (protect(s, run, run.protection)) {
    forget(s, run);
  } else {
    release(s, page);
  }
  return slot + 1;
}
constexpr std::size_t slots_at_once = 1 << 14;  // tens of microseconds

/// What others hand in is copied to the stack before the lock is taken: it may lie in a page that is armed.
constexpr std::size_t batch_pages = 256;
template <class T>
using Batch = std::array<T, batch_pages>;
template <class Work>
void in_batches(std::size_t count, const Work& work) {
  for (std::size_t first = 0; first < count; first += batch_pages) work(first, std::min(batch_pages, count - first));
}

void record(State& s, std::uintptr_t page, LaneId lane, bool write) {
  if (s.recorded == s.records.size()) {
    ++s.unrecorded;
    return;
  }
  s.records[s.recorded++] = {
      .page = page, .lane = lane, .write = write, .time = Nanoseconds(static_cast<double>(monotonic_ns()))};
}

/// In the signal handler. Where the page is not armed another thread may have been faster, so the access is tried
/// again; if it then faults at once, with nothing armed in between, the fault is the program's.
bool handle(std::uintptr_t address, bool write) {
  State* const s = the_state.load(std::memory_order_acquire);
  if (!s) return false;
  thread_local std::uintptr_t tried = 0;
  thread_local std::uint64_t tried_generation = 0;
  const auto lane_of_caller = s->lane.load(std::memory_order_relaxed);
  const LaneId lane = lane_of_caller ? lane_of_caller() : LaneId(0);
  const std::uintptr_t page = address & ~(s->page - 1);
  const Hold hold(*s);
  const ArmedPages::Entry entry = s->armed.find(page);
  if (entry.reasons == 0) {
    if (s->generation == 0) return false;
    const bool repeated = tried == address && tried_generation == s->generation;
    tried = repeated ? 0 : address;
    tried_generation = s->generation;
    return !repeated;
  }
  release(*s, page);
  s->resolved.fetch_add(1, std::memory_order_relaxed);
  if (entry.reasons & static_cast<unsigned>(Armed::for_hint)) record(*s, page, lane, write);
  return true;
}

/// Adds the reason to pages that are armed already, and arms the others. Returns how many are armed for it.
std::size_t arm_run(State& s, const Run& run, Armed reason) {
  const Hold hold(s);
  const bool accessible = (run.protection & (PROT_READ | PROT_WRITE)) != 0;
  if (accessible && (s.armed.armed() + run.pages > HintFaults::most_armed || !s.armed.reserve(run.pages))) return 0;
  ++s.generation;
  std::size_t armed = 0;
  bool any_new = false;
  for (std::size_t i = 0; i < run.pages; ++i) {
    const std::uintptr_t page = run.first + i * s.page;
    ArmedPages::Entry entry = s.armed.find(page);
    if (entry.reasons == 0) {
      if (!accessible) continue;  // the program's own doing
      entry.protection = run.protection;
      any_new = true;
    }
    entry.reasons |= static_cast<unsigned>(reason);
    s.armed.set(page, entry);
    ++armed;
  }
  if (!any_new || protect(s, run, PROT_NONE)) return armed;
  // Part of the run may have changed before the kernel gave up; what was armed before goes, too.
  protect(s, run, run.protection);
  forget(s, run);
  return 0;
}

/// Runs of pages that are neighbours and lie in mappings of one protection; those that cannot be armed left out.
std::vector<Run> runs_of(std::vector<std::uintptr_t> pages, std::size_t page, const std::string& root) {
  std::ranges::sort(pages);
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  const std::vector<Mapping> mappings = read_mappings(root);
  std::vector<Run> runs;
  for (const std::uintptr_t address : pages) {
    const Mapping* const mapping = find_mapping(mappings, address);
    if (!mapping || mapping->stack || address % page != 0) continue;
    const bool joins = !runs.empty() && runs.back().first + runs.back().pages * page == address &&
                       runs.back().protection == mapping->protection && runs.back().pages < most_run_pages;
    if (joins) {
      ++runs.back().pages;
    } else {
      runs.push_back({.first = address, .pages = 1, .protection = mapping->protection});
    }
  }
  return runs;
}

}  // namespace

HintFaults& HintFaults::of_process() {
  static HintFaults faults;
  return faults;
}

std::size_t HintFaults::arm(std::span<const std::uintptr_t> pages, Armed reason, LaneId (*lane)(),
                            const std::string& root) {
  const std::lock_guard guard(callers);
  State* const s = state();
  if (!s || !install_fault_handler(handle)) return 0;
  s->lane.store(lane, std::memory_order_relaxed);
  std::size_t armed = 0;
  for (const Run run : runs_of({pages.begin(), pages.end()}, s->page, root)) armed += arm_run(*s, run, reason);
  return armed;
}

void HintFaults::disarm(std::span<const std::uintptr_t> pages) {
  State* const s = the_state.load(std::memory_order_acquire);
  if (!s || s->armed_now.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard guard(callers);
  in_batches(pages.size(), [&](std::size_t first, std::size_t count) {
    Batch<std::uintptr_t> batch;
    std::ranges::copy(pages.subspan(first, count), batch.begin());
    const Hold hold(*s);
    release_neighbours(*s, std::span(batch).first(count));
  });
}

void HintFaults::disarm_all() {
  State* const s = the_state.load(std::memory_order_acquire);
  if (!s || s->armed_now.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard guard(callers);
  const std::size_t slots = s->armed.slots();  // only callers change their number
  for (std::size_t slot = 0; slot < slots;) {
    const Hold hold(*s);
    slot = release_first_of(*s, slot, std::min(slots, slot + slots_at_once));
  }
}

void HintFaults::untouched(std::span<const std::uintptr_t> pages, Armed reason, std::span<bool> out) {
  State* const s = the_state.load(std::memory_order_acquire);
  std::ranges::fill(out, false);
  if (!s) return;
  in_batches(pages.size(), [&](std::size_t first, std::size_t count) {
    Batch<std::uintptr_t> batch;
    Batch<bool> armed;
    std::ranges::copy(pages.subspan(first, count), batch.begin());
    {
      const Hold hold(*s);
      for (std::size_t i = 0; i < count; ++i)
        armed[i] = (s->armed.find(batch[i]).reasons & static_cast<unsigned>(reason)) != 0;
    }
    std::copy_n(armed.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(first));
  });
}

std::size_t HintFaults::armed() const {
  const State* const s = the_state.load(std::memory_order_acquire);
  return s ? s->armed_now.load(std::memory_order_relaxed) : 0;
}

std::uint64_t HintFaults::resolved() const {
  const State* const s = the_state.load(std::memory_order_acquire);
  return s ? s->resolved.load(std::memory_order_relaxed) : 0;
}

HintFaults::Found HintFaults::drain() {
  State* const s = state();
  if (!s) return {};
  const std::lock_guard guard(callers);
  Found found;
  std::size_t count = 0;
  {
    const Hold hold(*s);
    s->records.swap(s->drained);
    count = std::exchange(s->recorded, 0);
    found.unrecorded = std::exchange(s->unrecorded, 0);
    found.given_back = std::exchange(s->given_back, 0);
  }
  found.faults.reserve(count);
  for (std::size_t i = 0; i < count; ++i) found.faults.push_back(s->drained[i]);
  return found;
}

}  // namespace lbhm::sampling
