// A scope: what one call site of LB_HM_config plans for, over all its instances.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lbhm/placement.h"
#include "lbhm/sampling.h"
#include "lbhm/values.h"

namespace lbhm::engine {

/// What one lane did in the running instance of a scope, over all its regions.
struct LaneTotals {
  Nanoseconds time;
  EventCounts events;
};

/// An object of a scope, for the report.
struct ObjectRecord {
  std::string name;
  Bytes bytes;
};

/// One plan, for the report.
struct PlanRecord {
  std::string scope;
  std::uint32_t instance = 0;
  Nanoseconds decision;  ///< on the clock of the host
  MoveReport moves;
  std::vector<TaskBudget> budget;
  std::vector<ObjectRecord> objects;
};

struct Scope {
  std::string name;
  std::uint32_t instances = 0;
  std::optional<ScopeProfile> profile;                      ///< of the base instance
  std::map<std::uint32_t, std::vector<double>> base_share;  ///< region -> lane -> share of the lane's base time
};

/// The running instance of a scope.
struct ScopeInstance {
  Scope* scope = nullptr;
  std::vector<SlotRange> objects;
  std::vector<ObjectRecord> object_records;  ///< of the same length
  Nanoseconds begin;
  std::vector<LaneTotals> lanes;
  std::map<std::uint32_t, std::vector<double>> region_time;  ///< region -> lane -> ns
  Budget budget;                                             ///< empty: no forecast was made
  std::vector<AccessSample> samples;                         ///< of this instance
  std::uint64_t lost_samples = 0;
};

struct ScopeBook {
  std::unordered_map<const void*, std::unique_ptr<Scope>> by_site;
  std::optional<ScopeInstance> running;
  std::vector<PlanRecord> plans;
  Bytes migrated;
  std::uint64_t lost_samples = 0;
};

}  // namespace lbhm::engine
