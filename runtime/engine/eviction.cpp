#include "runtime/engine/eviction.h"

#include <map>

namespace lbhm::engine {
namespace {

/// Accesses a page of all tasks, by address of the first page of the run. The tasks of one forecast divide an object
/// into the same runs.
struct Run {
  Bytes bytes;
  AccessCount accesses;
};
using Runs = std::map<std::uintptr_t, Run>;

Runs expected_runs(const ScopeForecast& forecast) {
  Runs runs;
  for (const TaskForecast& task : forecast.tasks) {
    for (const ExtentEstimate& extent : task.accesses.extents) {
      const auto address = forecast.objects[extent.slot.value] + extent.first.value * forecast.page.value;
      Run& run = runs[address];
      run.bytes = Bytes(extent.pages * forecast.page.value);
      run.accesses += extent.count;
    }
  }
  return runs;
}

/// Covers [begin, end) with the runs that lie in it and with unused ranges between them.
void cover(std::uintptr_t begin, std::uintptr_t end, const Runs& runs, Bytes page,
           std::vector<EvictionCandidate>& out) {
  std::uintptr_t at = begin;
  for (auto run = runs.lower_bound(begin); run != runs.end() && run->first < end; ++run) {
    if (run->first > at) out.push_back({.address = at, .bytes = Bytes(run->first - at), .per_page = AccessCount(0)});
    const Bytes bytes{std::min<std::uint64_t>(run->second.bytes.value, end - run->first)};
    const double pages = bytes / page;
    out.push_back({.address = run->first, .bytes = bytes, .per_page = run->second.accesses / pages});
    at = run->first + bytes.value;
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

}  // namespace lbhm::engine
