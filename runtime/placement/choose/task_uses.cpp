#include "runtime/placement/choose/task_uses.h"

#include <algorithm>

namespace lbhm::choose {
namespace {

/// How the time of a phase is made up.
struct PhaseShares {
  Nanoseconds longest;  ///< wait of a lane
  Nanoseconds served;   ///< by the slowest memory
  Nanoseconds rest{};   ///< neither
  double own = 0;       ///< a lane's time for each ns that it waits
  double shared = 0;    ///< and of all lanes for each ns that the memory serves

  void divide(Nanoseconds took) {
    const Nanoseconds busy = std::min(took, std::max(longest, served));
    const double use = took.value > 0 ? std::min(served / took, 1.0) : 0;
    rest = took - busy;
    if (longest.value > 0) own = (1 - use) * (busy / longest);
    if (served.value > 0) shared = use * (busy / served);
  }
};

ObjectUse served_use(ObjectUse use) {
  use.hit_ratio = 1;
  return use;
}

/// With all data in the slowest tier.
struct SlowTimes {
  std::vector<Nanoseconds> waits;  ///< by task, no longer than its phase
  std::vector<double> overlap;     ///< by task: so much of a wait is left where others are under way
  std::vector<PhaseShares> phases;
};

SlowTimes slow_times(const TaskUses& uses) {
  const std::size_t lanes = uses.phase_of.size();
  SlowTimes times{std::vector<Nanoseconds>(lanes), std::vector<double>(lanes, 1),
                  std::vector<PhaseShares>(uses.phases.size())};
  auto& [waits, overlap, phases] = times;
  const auto add_waits = [&](const std::vector<TaskUse>& of_one) {
    for (const auto& [task, use] : of_one) {
      waits[task] += access_time(use, uses.lane.back(), uses.line);
      phases[uses.phase_of[task]].served += access_time(served_use(use), uses.shared.back(), uses.line);
    }
  };
  for (const std::vector<TaskUse>& unit : uses.units) add_waits(unit);
  add_waits(uses.elsewhere);
  for (std::size_t task = 0; task < lanes; ++task) {
    const std::uint32_t phase = uses.phase_of[task];
    if (waits[task] > uses.phases[phase]) overlap[task] = uses.phases[phase] / waits[task];
    waits[task] = std::min(waits[task], uses.phases[phase]);
    phases[phase].longest = std::max(phases[phase].longest, waits[task]);
  }
  for (std::size_t phase = 0; phase < phases.size(); ++phase) phases[phase].divide(uses.phases[phase]);
  return times;
}

}  // namespace

std::vector<Task> add_savings(const TaskUses& uses, std::vector<PhasedUnit>& units) {
  const std::size_t lanes = uses.phase_of.size();
  const MemoryFigures &slow = uses.lane.back(), &slow_shared = uses.shared.back();
  const auto [waits, overlap, phases] = slow_times(uses);
  std::vector<Task> tasks;
  for (std::size_t task = 0; task < lanes; ++task) {
    const PhaseShares& phase = phases[uses.phase_of[task]];
    tasks.push_back({.phase = uses.phase_of[task], .time = phase.rest + waits[task] * phase.own});
  }
  for (std::size_t phase = 0; phase < phases.size(); ++phase)
    tasks.push_back({.phase = static_cast<std::uint32_t>(phases.size() + phase),
                     .time = phases[phase].served * phases[phase].shared});

  for (std::size_t i = 0; i < units.size(); ++i)
    for (const auto& [task, use] : uses.units[i]) {
      const std::uint32_t phase = uses.phase_of[task];
      auto &own = units[i].saves[task], &shared = units[i].saves[static_cast<std::uint32_t>(lanes + phase)];
      own.resize(uses.lane.size());
      shared.resize(uses.lane.size());
      for (std::size_t tier = 0; tier < own.size(); ++tier) {
        own[tier] += improvement(use, slow, uses.lane[tier], uses.line) * (overlap[task] * phases[phase].own);
        shared[tier] += improvement(served_use(use), slow_shared, uses.shared[tier], uses.line) * phases[phase].shared;
      }
    }
  return tasks;
}

}  // namespace lbhm::choose
