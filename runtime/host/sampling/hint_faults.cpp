#include "runtime/host/sampling/hint_faults.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/host/sampling/armed_memory.h"
#include "runtime/host/sampling/fault_handler.h"
#include "runtime/host/sampling/mappings.h"
#include "runtime/host/sampling/obstacles.h"
#include "runtime/host/sampling/pauses.h"
#include "runtime/host/sampling/thread_buffer.h"

namespace lbhm::sampling {
namespace {

std::mutex callers;  // those outside of the handler and of pauses, one after the other

/// Nobody takes `callers` in a child: who held it may be gone.
bool in_child() {
  const ProcessWords* const words = process_words();
  return words && !words->ours.load(std::memory_order_relaxed);
}

/// What others hand in is copied to the stack before the lock is taken: it may lie in a page that is armed.
constexpr std::size_t batch_pages = 256;
template <class T>
using Batch = std::array<T, batch_pages>;
template <class Work>
void in_batches(std::size_t count, const Work& work) {
  for (std::size_t first = 0; first < count; first += batch_pages) work(first, std::min(batch_pages, count - first));
}

void record(FaultLog& log, const HintFault& fault) {
  if (log.recorded == log.records.size()) {
    ++log.unrecorded;
    return;
  }
  log.records[log.recorded++] = fault;
}

/// True if the reasons of a page name this one.
bool has(unsigned reasons, Armed reason) { return (reasons & static_cast<unsigned>(reason)) != 0; }

/// In the signal handler. Where the page is not armed another thread may have been faster, so the access is tried
/// again; if it then faults at once, with nothing armed in between, the fault is the program's.
bool handle(std::uintptr_t address, bool write) {
  ArmedMemory* const s = armed_memory();
  if (!s) return false;
  thread_local std::uintptr_t tried = 0;
  thread_local std::uint64_t tried_generation = 0;
  const auto lane_of_caller = s->lane.load(std::memory_order_relaxed);
  const LaneId lane = lane_of_caller ? lane_of_caller() : LaneId(0);
  const std::uintptr_t page = address & ~(s->page - 1);
  const std::uint64_t begin = monotonic_ns();
  const AtWork at_work;
  const Locked locked(*s);
  const ArmedPages::Entry entry = s->armed.find(page);
  if (entry.reasons == 0) {
    if (s->generation == 0) return false;
    const bool repeated = tried == address && tried_generation == s->generation;
    tried = repeated ? 0 : address;
    tried_generation = s->generation;
    return !repeated;
  }
  release(*s, page);
  const std::uint64_t now = monotonic_ns();
  s->resolved.fetch_add(1, std::memory_order_relaxed);
  s->handler_ns.fetch_add(now - begin, std::memory_order_relaxed);
  const HintFault fault{.page = page, .lane = lane, .write = write, .time = Nanoseconds(static_cast<double>(now))};
  if (has(entry.reasons, Armed::for_hint)) record(s->hints, fault);
  if (has(entry.reasons, Armed::for_sample)) record(s->samples, fault);
  return true;
}

/// Adds the reason to pages that are armed already, and arms the others. Returns how many are armed for it.
std::size_t arm_run(ArmedMemory& s, const Run& run, Armed reason, Pauses::Ticket ticket) {
  const Hold hold(s);
  const bool accessible = (run.protection & (PROT_READ | PROT_WRITE)) != 0;
  if (accessible && (s.armed.armed() + run.pages > HintFaults::most_armed || !s.armed.reserve(run.pages))) return 0;
  s.armed_now.store(s.armed.armed() + run.pages, std::memory_order_seq_cst);
  if (!pauses().valid(ticket)) return 0;
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
  const std::vector<StackRange> stacks = alternate_stacks();
  const auto in_stack = [&](std::uintptr_t address) {
    return std::ranges::any_of(
        stacks, [&](const StackRange& stack) { return address < stack.end && address + page > stack.first; });
  };
  std::vector<Run> runs;
  for (const std::uintptr_t address : pages) {
    const Mapping* const mapping = find_mapping(mappings, address);
    if (!mapping || mapping->stack || address % page != 0 || in_stack(address)) continue;
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
  static HintFaults* const faults = new HintFaults;  // reports are written after destructors have run
  return *faults;
}

/// To look takes a while where something is in the way, so nobody looks again at once.
bool HintFaults::must_rest(const std::string& root) {
  constexpr std::uint64_t rest_ns = 100'000'000;
  if (monotonic_ns() < rests_until_) return true;
  std::optional<std::string> why = obstacle(root);
  if (!why) return false;
  rests_until_ = monotonic_ns() + rest_ns;
  if (why->empty()) return true;
  ++rests_;
  rests_why_ = std::move(*why);
  return true;
}

std::size_t HintFaults::arm(std::span<const std::uintptr_t> pages, Armed reason, LaneId (*lane)(),
                            const std::string& root) {
  if (in_child()) return 0;
  const std::lock_guard guard(callers);
  ArmedMemory* const s = make_armed_memory();
  // Whatever the program does from here on with its memory and its signals makes the ticket invalid.
  const std::optional<Pauses::Ticket> ticket = pauses().ticket();
  if (!s || !ticket || must_rest(root) || !install_fault_handler(handle)) return 0;
  s->lane.store(lane, std::memory_order_relaxed);
  std::size_t armed = 0;
  for (const Run run : runs_of({pages.begin(), pages.end()}, s->page, root)) armed += arm_run(*s, run, reason, *ticket);
  return armed;
}

void HintFaults::disarm(std::span<const std::uintptr_t> pages) {
  ArmedMemory* const s = armed_memory();
  if (!s || in_child() || s->armed_now.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard guard(callers);
  in_batches(pages.size(), [&](std::size_t first, std::size_t count) {
    Batch<std::uintptr_t> batch;
    std::ranges::copy(pages.subspan(first, count), batch.begin());
    const Hold hold(*s);
    release_neighbours(*s, std::span(batch).first(count));
  });
}

void HintFaults::disarm_all() {
  const ArmedMemory* const s = armed_memory();
  if (!s || in_child() || s->armed_now.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard guard(callers);  // nobody arms
  put_back(0, ~std::uintptr_t{0});
}

bool HintFaults::rests() const {
  if (in_child()) return true;
  const std::lock_guard guard(callers);
  return monotonic_ns() < rests_until_;
}

std::string HintFaults::remark() const {
  if (in_child()) return "";
  const std::lock_guard guard(callers);
  if (const char* const why = pauses().why_for_ever()) return std::string("hint faults rest for good: ") + why;
  if (rests_ == 0) return "";
  return "hint faults rested " + std::to_string(rests_) + " times: " + rests_why_;
}

void HintFaults::untouched(std::span<const std::uintptr_t> pages, Armed reason, std::span<bool> out) {
  ArmedMemory* const s = armed_memory();
  std::ranges::fill(out, false);
  if (!s) return;
  in_batches(pages.size(), [&](std::size_t first, std::size_t count) {
    Batch<std::uintptr_t> batch;
    Batch<bool> armed;
    std::ranges::copy(pages.subspan(first, count), batch.begin());
    {
      const Hold hold(*s);
      for (std::size_t i = 0; i < count; ++i) armed[i] = has(s->armed.find(batch[i]).reasons, reason);
    }
    std::copy_n(armed.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(first));
  });
}

std::size_t HintFaults::armed() const {
  const ArmedMemory* const s = armed_memory();
  return s ? s->armed_now.load(std::memory_order_relaxed) : 0;
}

std::uint64_t HintFaults::resolved() const {
  const ArmedMemory* const s = armed_memory();
  return s ? s->resolved.load(std::memory_order_relaxed) : 0;
}

double HintFaults::handler_ns() const {
  const ArmedMemory* const s = armed_memory();
  const std::uint64_t count = s ? s->resolved.load(std::memory_order_relaxed) : 0;
  return count > 0 ? static_cast<double>(s->handler_ns.load(std::memory_order_relaxed)) / static_cast<double>(count)
                   : 0;
}

HintFaults::Found HintFaults::drain(Armed reason) {
  ArmedMemory* const s = make_armed_memory();
  if (!s) return {};
  const std::lock_guard guard(callers);
  Found found;
  std::size_t count = 0;
  FaultLog& log = reason == Armed::for_sample ? s->samples : s->hints;
  {
    const Hold hold(*s);
    log.records.swap(log.drained);
    count = std::exchange(log.recorded, 0);
    found.unrecorded = std::exchange(log.unrecorded, 0);
    found.given_back = std::exchange(s->given_back, 0);
  }
  found.faults.reserve(count);
  for (std::size_t i = 0; i < count; ++i) found.faults.push_back(log.drained[i]);
  return found;
}

}  // namespace lbhm::sampling
