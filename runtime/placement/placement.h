// Door of runtime/placement: from predicted times to budgets, from budgets to pages; the policies.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// What a policy is told about a task before the region starts.
struct TaskForecast {
  TaskTimes times;
  AccessEstimate accesses;
  std::uint32_t region = 0;  ///< which region of the scope it is a task of, from 0
  /// Part of its time for which all others of the region waited for it, at the barriers inside of the region and at its
  /// end, as the last instance showed it.
  double critical = 0;
};

/// Neighbouring pages.
struct PageRange {
  std::uintptr_t address = 0;  ///< page-aligned
  Bytes bytes;                 ///< a multiple of the page size
};

/// Where managed pages are before the plan. By address, not overlapping.
struct Residence {
  std::vector<PageRange> fast;       ///< in tier 0, other scopes' objects included
  std::vector<PageRange> untouched;  ///< in no tier yet: they can appear anywhere without a copy
};

/// ScopeForecast::doubt above which predictions are not worth a plan. An assumption; predictions of new inputs
/// are off by less on SpGEMM, PIC and BFS, and by more on DMRG and tensor (docs/results.md).
inline constexpr double trusted_doubt = 0.3;

/// What a policy is told about the scope.
struct ScopeForecast {
  std::vector<TaskForecast> tasks;      ///< by region and lane; the regions of a scope run one after the other
  std::vector<std::uintptr_t> objects;  ///< address of the first page, by slot
  Bytes page{4096};
  Bytes fast_capacity;  ///< of tier 0, for all objects together
  TierId slowest{1};
  Residence residence;
  Nanoseconds page_move;    ///< to copy a page from one tier to the other
  Nanoseconds slow_access;  ///< for which the slowest tier is busy with one of the accesses, the write-backs included
  double instances = 1;     ///< for which the pages are expected to serve, this one included
  double doubt = 0;         ///< share of the time by which tasks missed their predictions so far
};

/// Algorithm 1 of the paper (section 6), greedy in steps of 5 % of a task's accesses.
Budget merchandiser_budget(std::span<const TaskForecast> tasks, Bytes page, Bytes fast_capacity);

/// Page selection of section 6: hottest pages first; a page moves only while one of the tasks that use it is below its
/// goal, and while fast memory has room.
MigrationPlan select_pages(const ScopeForecast& scope, const Budget& budget, TierId fast);

/// What a policy decided for one scope.
struct Decision {
  Budget budget;             ///< of the tasks of the forecast, in that order; empty: this policy gives none
  MigrationPlan plan;        ///< carried out before the region; empty: everything stays
  MigrationPlan appear;      ///< ranges whose untouched pages are to appear in these tiers; takes no time
  MigrationPlan background;  ///< carried out from now on beside the program, in order, until the next decision
};

/// A managed object, as a policy sees it.
struct PlacedObject {
  std::uintptr_t address = 0;  ///< of its first page
  Bytes bytes;
  std::string_view name;  ///< may be empty; valid during the call
};

/// A call of LB_HM_config: a scope begins.
struct ScopeStart {
  std::uint64_t number = 0;               ///< of the call in this run, from 0
  std::span<const PlacedObject> objects;  ///< by slot
  Bytes page{4096};
  Bytes fast_capacity;  ///< of tier 0, whoever uses it
};

/// What a policy that acts at intervals sees and does. Valid during the call that it was given to.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// To look at: topology, where, room, samples, observer, execution().now(). What it costs is charged to the core of
  /// the machine that the interval's function runs on. Pages move by migrate() alone.
  virtual Machine& machine() = 0;
  /// All migratable managed objects, by address.
  virtual std::vector<PlacedObject> objects() = 0;
  /// Moves all samples since the last call to the end of `out`. This, not the machine's source: others want them, too.
  virtual void samples(std::vector<AccessSample>& out) {
    if (SampleSource* const source = machine().samples()) source->drain(out);
  }
  /// Carries the plan out in order. Where a tier is full pages stay: the policy makes room itself, by moves that stand
  /// before. What was moved goes into the run report.
  virtual MoveReport migrate(const MigrationPlan& plan) = 0;
};

/// Pages [first, first + pages) of the object-th managed object of a run, and the tier that they are for.
struct ScriptedRun {
  std::uint64_t object = 0;
  std::uint64_t first = 0;
  std::uint64_t pages = 0;
  TierId tier;
};

/// Where pages are to be in a run that is known beforehand: the file of setting placement (schema lbhm.placement/1).
struct PlacementScript {
  Bytes page{4096};
  TierId unmanaged{0};                                      ///< first choice for pages that no run speaks of
  std::map<std::uint64_t, Bytes> objects;                   ///< sizes, in whole pages, by number of allocation
  std::vector<ScriptedRun> births;                          ///< by object; where pages appear
  std::map<std::uint64_t, std::vector<ScriptedRun>> moves;  ///< by call of LB_HM_config, from 0; in order
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
  /// True if the machine shall sample accesses for tick(); if uses_forecast() is true it does so anyhow.
  virtual bool uses_samples() const { return false; }
  /// True if tick() needs Machine::observer(); it is not called on a machine without one.
  virtual bool watches_pages() const { return false; }
  /// True if it needs the observer's hint faults, too.
  virtual bool uses_hint_faults() const { return false; }
  /// True if pages stay where they appear, whatever first_touch_order() says and wherever there is room.
  virtual bool leaves_pages() const { return false; }
  /// True if the hardware keeps the fastest tier as a cache of the next one (emulated machines only).
  virtual bool memory_mode() const { return false; }
  /// Called before every instance of a scope but its first.
  virtual Decision decide(const ScopeForecast&) { return {}; }
  /// True if decisions have background plans.
  virtual bool moves_in_background() const { return false; }
  /// True if samples are wanted only until predictions are right: they cost the program time.
  virtual bool samples_until_settled() const { return false; }
  /// True if pages are expected to be used as in the last instances; if false, as in the base instance.
  virtual bool follows_pages() const { return false; }
  /// Called for every new managed object, the number-th of this run (from 0), none of whose pages was touched: its
  /// pages in the ranges of these moves appear in the tiers named, if they have room, all others as
  /// first_touch_order() says. Called from any thread, by one at a time.
  virtual MigrationPlan place_new(std::uint64_t /*number*/, const PlacedObject&) { return {}; }
  /// Called at every call of LB_HM_config, the first ones included. The plan is carried out before the region.
  virtual MigrationPlan scope_begins(const ScopeStart&) { return {}; }
  /// Does without the part of this name from now on (LBHM_WITHOUT); false if it has no such part. Before other calls.
  virtual bool leave_out(std::string_view /*part*/) { return false; }
  /// A factor on all times that the policy keeps by itself (LBHM_PACE). Called once, before the other calls.
  virtual void set_pace(double) {}
  /// True if it does what a script says; then follow() is called once, before the program starts.
  virtual bool follows_script() const { return false; }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that follow keep it
  virtual void follow(PlacementScript /*script*/) {}
  /// Sentences for the run report, when the program has ended.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// How often tick() is called; nothing: never. Asked once, when the program starts.
  virtual std::optional<Nanoseconds> interval(const Topology&) const { return std::nullopt; }
  /// What the policy does at intervals, while the program runs: on a thread of the machine, never at the same time as
  /// itself, but at the same time as the calls above. It must not throw nor wait for a thread of the program.
  virtual void tick(Surroundings&) {}
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
