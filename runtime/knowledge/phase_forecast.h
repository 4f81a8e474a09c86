// What is expected of the next instance of a phase: what knowledge says, and what policies are told.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/pages/page_placement.h"

namespace lbhm {

/// What is expected of a task before the region starts.
struct TaskForecast {
  TaskTimes times;
  AccessEstimate accesses;
  double accesses_a_sample = 0;  ///< expected ones for each sample that they rest on; 0: not from samples
  std::uint32_t region = 0;      ///< which region of the phase it is a task of, from 0
  Shift shift{};                 ///< what instances showed of f; `times` has it
  /// By slot: for how many lines' time the slowest tier is busy with one access, as it may move blocks of several
  /// lines (Tier::granularity). Slots that are not there: 1.
  std::vector<double> lines{};
  /// By slot: what an access waits for, over the mean of the task's accesses. Empty: not known.
  std::vector<double> waits{};
  /// By slot: what an access counts for in the share of fast accesses, where they do not count alike (page_heat.h).
  std::vector<double> weights{};
  double weight_of(ObjectSlot slot) const { return slot.value < weights.size() ? weights[slot.value] : 1; }
  double lines_of(ObjectSlot slot) const { return slot.value < lines.size() ? lines[slot.value] : 1; }
};

/// What a tier between the fastest and the slowest can do for the tasks of a phase.
struct MiddleTier {
  TierId tier{1};
  Bytes room;                    ///< as PhaseForecast::room
  std::vector<TaskTimes> times;  ///< by task, between this tier ("fast") and the slowest
};

/// What is expected of the next instance of a phase.
struct PhaseForecast {
  std::vector<TaskForecast> tasks;      ///< by region and lane; the regions of a phase run one after the other
  std::vector<std::uintptr_t> objects;  ///< address of the first page, by slot
  std::vector<Bytes> bytes;             ///< their sizes, by slot
  Bytes page{4096};
  TierId fast{0};  ///< the tier that `tasks` and `room` are about
  Bytes room;      ///< in it for managed pages: those that are there, and what is free of its capacity
  TierId slowest{1};
  std::vector<MiddleTier> middle;  ///< the tiers between, fastest first
  PagePlacement placement;
  Nanoseconds page_move;    ///< to copy a page from one tier to the other
  Nanoseconds slow_access;  ///< for which the slowest tier is busy with one of the accesses, the write-backs included
  bool sizes_of_base = false;  ///< the objects have the sizes that they had in the base instance
  double instances = 1;        ///< for which the pages are expected to serve, this one included
  /// By how much of the time tasks missed their predictions, the mean of the last instances.
  double prediction_error = 0;
};

}  // namespace lbhm
