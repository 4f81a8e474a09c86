#include "runtime/migration/candidates.h"

#include <algorithm>
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

Runs expected_runs(const ScopeForecast& forecast) {
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

/// Covers [begin, end) with the runs that lie in it and with unused ranges between them.
void cover(std::uintptr_t begin, std::uintptr_t end, const Runs& runs, Bytes page,
           std::vector<EvictionCandidate>& out) {
  std::uintptr_t at = begin;
  auto run = std::lower_bound(runs.begin(), runs.end(), begin, before);
  for (; run != runs.end() && run->address < end; ++run) {
    if (run->address > at)
      out.push_back({.address = at, .bytes = Bytes(run->address - at), .per_page = AccessCount(0)});
    const Bytes bytes{std::min<std::uint64_t>(run->bytes.value, end - run->address)};
    const double pages = bytes / page;
    out.push_back({.address = run->address, .bytes = bytes, .per_page = run->accesses / pages});
    at = run->address + bytes.value;
  }
  if (at < end) out.push_back({.address = at, .bytes = Bytes(end - at), .per_page = AccessCount(0)});
}

}  // namespace

std::vector<EvictionCandidate> eviction_candidates(std::span<const Object> managed, const ScopeForecast& forecast) {
  const Runs runs = expected_runs(forecast);
  std::vector<EvictionCandidate> candidates;
  const std::uint64_t page = forecast.page.value;
  for (const Object& object : managed) {
    if (!object.migratable) continue;
    const std::uintptr_t end = (object.address + object.bytes.value + page - 1) / page * page;
    cover(object.address / page * page, end, runs, forecast.page, candidates);
  }
  return candidates;
}

}  // namespace lbhm
