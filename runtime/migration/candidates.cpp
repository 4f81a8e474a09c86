#include "runtime/migration/candidates.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace lbhm {
namespace {

/// What all tasks are expected to do with a run of pages.
struct Run {
  std::uintptr_t address = 0;
  Bytes bytes;
  AccessCount accesses;
};
/// Sorted by address, each address once.
using Runs = std::vector<Run>;

bool before(const Run& run, std::uintptr_t address) { return run.address < address; }

/// Adds a task's run to those of one object. The tasks of one forecast divide an object into the same runs, so it is
/// there already, or behind the last one, most of the time.
void add(Runs& runs, const Run& run) {
  auto place = runs.end();
  if (!runs.empty() && run.address <= runs.back().address)
    place = std::lower_bound(runs.begin(), runs.end(), run.address, before);
  if (place == runs.end() || place->address != run.address) place = runs.insert(place, {run.address, {}, {}});
  place->bytes = run.bytes;
  place->accesses += run.accesses;
}

Runs expected_runs(const PhaseForecast& forecast) {
  std::vector<Runs> by_slot(forecast.objects.size());
  for (const TaskForecast& task : forecast.tasks) {
    for (const ExtentEstimate& extent : task.accesses.extents) {
      const auto address = forecast.objects[extent.slot.value] + extent.first.value * forecast.page.value;
      add(by_slot[extent.slot.value], {address, Bytes(extent.pages * forecast.page.value), extent.count});
    }
  }
  std::vector<std::size_t> order(by_slot.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t slot) { return std::pair(forecast.objects[slot], slot); });
  Runs all;
  for (const std::size_t slot : order)  // objects that share pages are taken together
    for (const Run& run : by_slot[slot]) add(all, run);
  return all;
}

/// Covers [begin, end) with what of the runs lies in it and with unused ranges between them.
void cover(std::uintptr_t begin, std::uintptr_t end, const Runs& runs, Bytes page,
           std::vector<EvictionCandidate>& out) {
  std::uintptr_t at = begin;
  auto run = std::lower_bound(runs.begin(), runs.end(), begin, before);
  if (run != runs.begin() && std::prev(run)->address + std::prev(run)->bytes.value > begin) --run;
  for (; run != runs.end() && run->address < end; ++run) {
    const std::uintptr_t first = std::max(run->address, begin), last = std::min(run->address + run->bytes.value, end);
    if (first > at) out.push_back({.address = at, .bytes = Bytes(first - at), .per_page = AccessCount(0)});
    out.push_back({.address = first, .bytes = Bytes(last - first), .per_page = run->accesses / (run->bytes / page)});
    at = last;
  }
  if (at < end) out.push_back({.address = at, .bytes = Bytes(end - at), .per_page = AccessCount(0)});
}

}  // namespace

std::vector<EvictionCandidate> eviction_candidates(const PhaseForecast& forecast) {
  std::vector<PageRange> ranges = forecast.placement.untouched;
  for (std::uint8_t tier = 0; tier < forecast.slowest.value; ++tier)
    std::ranges::copy(forecast.placement.in(TierId(tier)), std::back_inserter(ranges));
  std::ranges::sort(ranges, {}, &PageRange::address);
  const Runs runs = expected_runs(forecast);
  std::vector<EvictionCandidate> candidates;
  for (const PageRange& range : ranges)
    cover(range.address, range.address + range.bytes.value, runs, forecast.page, candidates);
  return candidates;
}

}  // namespace lbhm
