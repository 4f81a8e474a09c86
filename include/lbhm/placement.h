// Door of runtime/placement: from predicted times to budgets, from budgets to pages; the policies.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lbhm/model.h"
#include "lbhm/status.h"
#include "lbhm/units.h"
#include "lbhm/values.h"

namespace lbhm {

/// What a policy is told about a task before the region starts.
struct TaskForecast {
  TaskTimes times;
  AccessEstimate accesses;
};

/// What a policy is told about the scope.
struct ScopeForecast {
  std::vector<TaskForecast> tasks;      ///< by lane
  std::vector<std::uintptr_t> objects;  ///< address of the first page, by slot
  Bytes page{4096};
  Bytes fast_capacity;  ///< of tier 0, for all objects together
};

/// Algorithm 1 of the paper (section 6), greedy in steps of 5 % of a task's accesses.
Budget merchandiser_budget(std::span<const TaskForecast> tasks, Bytes page, Bytes fast_capacity);

/// Page selection of section 6: hottest pages first; a page moves only while one of the tasks that use it is below its
/// goal, and while fast memory has room.
MigrationPlan select_pages(const ScopeForecast& scope, const Budget& budget, TierId fast);

/// What a policy decided for one scope.
struct Decision {
  Budget budget;       ///< empty: this policy gives none
  MigrationPlan plan;  ///< empty: everything stays
};

/// A placement policy. One variant a file in policies/, one line each in policies/table.cpp.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::string_view name() const = 0;
  /// Tiers in which pages without a decision appear, best first. `tiers` is how many the machine has.
  virtual std::vector<TierId> first_touch_order(std::size_t tiers) const = 0;
  /// True if the policy needs profiles and forecasts; if false, decide() is never called.
  virtual bool uses_forecast() const { return false; }
  /// True for the reference that pretends fast memory had no limit.
  virtual bool ignores_capacity() const { return false; }
  /// True if the share LBHM_FAST_SHARE of the pages without a decision, chosen by chance, is to be in tier 0 and only
  /// the others follow first_touch_order.
  virtual bool scatters() const { return false; }
  /// Called before every instance of a scope but its first.
  virtual Decision decide(const ScopeForecast&) const { return {}; }
};

struct PolicyEntry {
  std::string_view name;
  std::string_view sentence;  ///< what it does, for `lbhm policies` and docs
  std::unique_ptr<Policy> (*make)();
};

/// All policies, in the order in which they are shown.
std::span<const PolicyEntry> policy_table();
/// Errors: not_found, with the names that exist.
Result<std::unique_ptr<Policy>> make_policy(std::string_view name);

}  // namespace lbhm
