// Everything the engine remembers. One instance a process, never destroyed: callbacks may come until the very end.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model.h"
#include "runtime/base/settings.h"
#include "runtime/engine/block_profile.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/model_choice.h"
#include "runtime/engine/mover.h"
#include "runtime/engine/pattern_notes.h"
#include "runtime/engine/region_log.h"
#include "runtime/engine/scope.h"
#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"
#include "runtime/patterns/patterns.h"
#include "runtime/placement/placement.h"
#include "runtime/sampling/sampling.h"

namespace lbhm::engine {

struct Engine {
  // Set by start(), constant afterwards.
  Settings settings;
  std::unique_ptr<Machine> machine;
  std::unique_ptr<Policy> policy;
  Needs needs;                     ///< of the policy
  Execution* execution = nullptr;  ///< the machine's; it and the next are asked at every callback
  bool ticking = false;            ///< the policy acts at intervals
  bool placing = false;            ///< the machine has tiers to choose from
  bool reporting = false;
  bool virtual_time = false;
  std::optional<BlockProfile> profile;  ///< what blocks take, where it was measured
  PageCounts* counts = nullptr;         ///< null: nobody wants exact counts
  int process = 0;                      ///< whose engine this is; a forked child has none

  StencilTable stencils;  ///< of the machine, from the file of setting alpha

  ObjectRegistry registry;
  PatternCatalog patterns;
  Mover mover;                         ///< for background plans
  std::mutex tap;                      ///< guards the next three
  std::vector<AccessSample> tapped;    ///< samples that on_interval() has seen and no region has had
  std::vector<AccessSample> untapped;  ///< samples that regions have had and on_interval() has not seen
  std::uint64_t lost_at_intervals = 0;
  std::mutex births;                                 ///< guards the next line and Policy::on_object
  std::uint64_t born = 0;                            ///< managed objects so far
  std::atomic<std::uint64_t> moved_at_intervals{0};  ///< bytes
  std::atomic<const SlotIndex*> noting{nullptr};     ///< objects of the base instance under way
  // Of exact counts; changed by the initial thread outside of teams.
  std::uint32_t epoch = 0;  ///< calls of LB_HM_config so far
  Nanoseconds alone_since;
  std::mutex mutex;        ///< guards what follows
  AccessCount own_period;  ///< of the machine's samples, before anybody changed it
  ModelChoice model;
  RegionLog log;
  ScopeBook scopes;
  Nanoseconds decision_time;  ///< on the clock of the host
  Nanoseconds measured_time;  ///< of finished measured spans, on the machine's clock
  Nanoseconds measured_since;
  bool measuring = true;
  std::atomic<bool> counting{false};             ///< executions of blocks are wanted
  std::atomic<bool> used{false};                 ///< the program uses OpenMP
  std::atomic<std::uint64_t> without_memory{0};  ///< how often there was no memory for something of ours
  std::atomic<std::uint64_t> too_deep{0};        ///< regions nested deeper than the engine follows
  bool finished = false;
};

/// Null until start() has made it, and for good if start() failed.
Engine* engine();

/// Writes one line "lbhm: ..." to the standard error.
/// No lock, no allocation: handlers of signals may call it.
void say(std::string_view sentence);

}  // namespace lbhm::engine
