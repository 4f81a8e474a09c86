#include "runtime/engine/scope_forecast.h"

#include <algorithm>
#include <iterator>

#include "runtime/engine/forecast.h"
#include "runtime/engine/residence.h"

namespace lbhm::engine {
namespace {

/// The knowledge of a region as the model wants it.
InputModel input_model(const Engine& e, const Part& part) {
  return {.objects = part.knowledge,
          .blocks = &part.blocks,
          .stencils = &e.stencils,
          .scaling = scaling_of(e.settings),
          .times = part.times};
}

/// One access of the scope keeps the slowest tier busy for the time of the line that it reads, and of the line that is
/// written back for each that was a store.
Nanoseconds slow_access(const Scope& scope, const Topology& topology) {
  AccessCount accesses, writes;
  for (const auto& [region, part] : scope.parts) {
    if (!part.profile) continue;
    for (const TaskProfile& task : part.profile->tasks) {
      for (const TierShare& tier : task.tiers) accesses += tier.accesses, writes += tier.writes;
    }
  }
  const Tier& slow = topology.tiers.back();
  if (!(accesses.value > 0) || !(slow.read_bandwidth.value > 0) || !(slow.write_bandwidth.value > 0)) return {};
  const auto line = static_cast<double>(topology.line.value);
  return Nanoseconds(line / slow.read_bandwidth.value + writes / accesses * line / slow.write_bandwidth.value);
}

}  // namespace

InputScaling scaling_of(const Settings& settings) {
  return settings.scaling == "cosine" ? InputScaling::cosine : InputScaling::sizes;
}

std::vector<std::uintptr_t> addresses_of(std::span<const SlotRange> objects) {
  std::vector<std::uintptr_t> addresses;
  for (const SlotRange& object : objects) addresses.push_back(object.address);
  return addresses;
}

ScopeForecast scope_forecast(Engine& e, const ScopeInstance& run, PagePlacement placement, const Correlation& f) {
  const Topology& topology = e.machine->topology();
  const Bytes room = managed_room(*e.machine, placement);
  ScopeForecast scope;
  std::uint32_t number = 0;
  for (const auto& [region, part] : run.scope->parts) {
    if (!part.profile) continue;
    ScopeForecast one = forecast(*part.profile, run.objects, topology, room, f, input_model(e, part));
    for (TaskForecast& task : one.tasks) {
      task.region = number;
      if (task.times.lane.value < part.critical.size()) task.critical = part.critical[task.times.lane.value];
      scope.tasks.push_back(std::move(task));
    }
    scope.objects = std::move(one.objects);
    scope.middle.resize(one.middle.size());
    for (std::size_t i = 0; i < one.middle.size(); ++i) {
      scope.middle[i].tier = one.middle[i].tier;
      std::ranges::move(one.middle[i].times, std::back_inserter(scope.middle[i].times));
    }
    ++number;
  }
  scope.page = topology.page;
  scope.room = room;
  scope.slowest = TierId(static_cast<std::uint8_t>(topology.tiers.size() - 1));
  for (MiddleTier& tier : scope.middle) tier.room = managed_room(*e.machine, placement, tier.tier);
  scope.placement = std::move(placement);
  scope.slow_access = slow_access(*run.scope, topology);
  // Copied beside the program, a page costs it the time for which slow memory is busy with its lines.
  scope.page_move = scope.slow_access * (topology.page / topology.line);
  scope.prediction_error = run.scope->prediction_error;
  // As many instances as there were are still to come, unless the objects are new in each.
  scope.instances = run.scope->last_objects == addresses_of(run.objects) ? run.scope->instances : 1;
  return scope;
}

std::vector<TaskForecastRecord> forecast_records(Engine& e, const ScopeInstance& run, const ScopeForecast& forecast) {
  const auto rule = scaling_of(e.settings) == InputScaling::sizes ? InputScaling::cosine : InputScaling::sizes;
  std::vector<TaskForecastRecord> records;
  for (const auto& [region, part] : run.scope->parts) {
    if (!part.profile) continue;
    for (const HomogeneousTimes& other : homogeneous_forecast(*part.profile, sizes_of(run.objects),
                                                              e.machine->topology(), input_model(e, part), rule)) {
      const TaskTimes& planned = forecast.tasks[records.size()].times;
      records.push_back({.region = region,
                         .lane = planned.lane,
                         .planned = {.slow_only = planned.slow_only, .fast_only = planned.fast_only},
                         .other = other});
    }
  }
  return records;
}

void record_estimates(const ScopeForecast& forecast, ScopeInstance& run) {
  std::vector<AccessCount> plain(run.objects.size());  // Eq. 1 with alpha 1
  ScopeKnowledge known;
  for (const auto& [region, part] : run.scope->parts) {
    if (!part.profile) continue;
    known.insert(known.end(), part.knowledge.begin(), part.knowledge.end());
    const std::vector<Bytes>& sizes = part.profile->object_bytes;
    for (const TaskProfile& task : part.profile->tasks) {
      for (const PageCount& page : task.pages) {
        const std::size_t slot = page.slot.value;
        if (slot < plain.size() && slot < sizes.size())
          plain[slot] += estimated_accesses(page.count, sizes[slot], run.object_records[slot].bytes, 1);
      }
    }
  }
  for (const TaskForecast& task : forecast.tasks) {
    for (const ExtentEstimate& extent : task.accesses.extents)
      run.object_records[extent.slot.value].estimated += extent.count;
  }
  for (std::size_t slot = 0; slot < plain.size(); ++slot) {
    ObjectRecord& record = run.object_records[slot];
    record.kind = kind_of(known, slot);
    if (record.estimated.value > 0) record.alpha = plain[slot] / record.estimated;
  }
}

}  // namespace lbhm::engine
