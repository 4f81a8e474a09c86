// Door of runtime/placement: from predicted times to budgets, from budgets to pages; the policies.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/knowledge/phase_forecast.h"
#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"

namespace lbhm {

/// The time of a task with a share of its accesses in the fastest tier and shares in the tiers between: what a page
/// gains over the slowest tier is taken not to depend on what lies in the others (an assumption).
Nanoseconds time_at(const TaskTimes& fastest, double share, std::span<const TaskTimes> middle,
                    std::span<const double> middle_shares);

/// What Algorithm 1 does when the longest task cannot be made faster: the paper says nothing (task_budgets.cpp).
enum class GrownOut : std::uint8_t { ends_it, is_passed_over };

/// Algorithm 1 of the paper (section 6), greedy in steps of 5 % of a task's accesses.
Budget merchandiser_budget(std::span<const TaskForecast> tasks, Bytes page, Bytes room,
                           GrownOut grown_out = GrownOut::ends_it);

/// Page selection of section 6: hottest pages first; a page moves only while one of the tasks that use it is below its
/// goal, and while fast memory has room.
MigrationPlan select_pages(const PhaseForecast& phase, const Budget& budget, TierId fast);

/// A managed object, as a policy sees it.
struct PlacedObject {
  std::uintptr_t address = 0;  ///< of its first page
  Bytes bytes;
  std::string_view name;  ///< may be empty; valid during the call
  // In PolicyContext::objects:
  SiteId site{};          ///< where the program got it from
  std::uint64_t nth = 0;  ///< of its site
};

/// An object that was just allocated: nobody has touched its pages.
struct NewObject {
  std::uint64_t number = 0;  ///< of the managed object in this run, from 0, in the order of allocations
  SiteId site{};             ///< where the program got it from
  std::uint64_t nth = 0;     ///< of its site, from 0
  PlacedObject object;
};

/// A phase begins (a call of LB_HM_config). Valid during the call that it was given to.
struct PhaseView {
  std::uint64_t number = 0;               ///< of the phase in this run, from 0
  std::span<const PlacedObject> objects;  ///< by slot
  const Topology& machine;
  PhaseHistory history{};
  const PhaseForecast* forecast = nullptr;  ///< null: none is wanted, or possible yet
  bool found = false;                       ///< nobody said which objects it uses: these are all that there are
  std::string_view name{};                  ///< what the program calls it (lbhm_phase), else where it calls us
};

/// What a policy decided for a phase.
struct Decision {
  Budget budget{};       ///< of the tasks of the forecast, in that order; empty: this policy gives none
  MigrationPlan plan{};  ///< carried out before the region; empty: everything stays
  /// Carried out from now on beside the program, in order, in place of what is left of an earlier one. Without a
  /// forecast the earlier one goes on.
  MigrationPlan background{};
  std::uint64_t looks = 0;  ///< at runs of pages and their users that it took
  /// What deciding is charged for a look, measured on a server core (docs/policies.md, "What deciding costs").
  static constexpr Nanoseconds per_look{8};
};

/// What a policy that acts at intervals sees and does. Valid during the call that it was given to.
class PolicyContext {
 public:
  virtual ~PolicyContext() = default;
  /// To look at: topology, room, samples, observer, execution().now(). What it costs is charged to the core of
  /// the machine that the interval's function runs on. Pages move by migrate() alone.
  virtual Machine& machine() = 0;
  /// All migratable managed objects, by address.
  virtual std::vector<PlacedObject> objects() = 0;
  /// Where the pages of these objects are, kept from call to call, so that what did not change is not asked for. Costs
  /// time for what is.
  virtual PagePlacement placement() { return {}; }
  /// The tier of each of these pages, given by their first bytes (no_tier: not touched yet); what is known is kept
  /// (PageTracker::where). Costs no virtual time: a kernel's own threads know it.
  virtual void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) { machine().where(pages, out); }
  /// Pages of the program that belong to no object (heap, globals, stacks), in the order of their first touch. They
  /// move as all others do. Empty on machines that do not know them.
  virtual std::vector<PageRange> unmanaged() { return machine().unmanaged(); }
  /// With Needs::progress: the outermost region under way, if there is one.
  virtual std::optional<RunningRegion> running() { return {}; }
  /// The policy has decided for so long, and is charged for it.
  virtual void decided(Nanoseconds time) { machine().execution().pass(time); }
  /// Moves all samples since the last call to the end of `out`. This, not the machine's source: others want them, too.
  virtual void samples(std::vector<AccessSample>& out) {
    if (SampleSource* const source = machine().samples()) source->drain(out);
  }
  /// One access in so many is sampled, as the machine has it of itself: AccessSample::weight tells the rest.
  virtual AccessCount sample_period() {
    const SampleSource* const source = machine().samples();
    return source ? source->period() : AccessCount(0);
  }
  /// One access in `period` is sampled from now on.
  virtual void sample_every(AccessCount period) {
    if (SampleSource* const source = machine().samples()) source->set_period(period);
  }
  /// With Needs::finds_pages: a scan of accessed bits found these pages, given by their first bytes.
  virtual void found(std::span<const std::uintptr_t> /*pages*/) {}
  /// Carries the plan out in order. Where a tier is full pages stay: the policy makes room itself, by moves that stand
  /// before. What was moved goes into the run report.
  virtual MoveReport migrate(const MigrationPlan& plan) = 0;
};

/// An object of a script: known again by where the program gets it from.
struct ScriptedObject {
  SiteId site;
  std::uint64_t nth = 0;  ///< of its site, from 0
  Bytes bytes;            ///< whole pages
};

/// Pages [first, first + pages) of an object of a script, and the tier that they are for.
struct ScriptedRun {
  std::uint64_t object = 0;
  std::uint64_t first = 0;
  std::uint64_t pages = 0;
  TierId tier;
};

/// When pages of a script move: after a call of LB_HM_config, or once the region that runs after it has passed so many
/// barriers.
struct ScriptedPoint {
  std::uint64_t call = 0;  ///< from 0
  RunningRegion region{};
  auto operator<=>(const ScriptedPoint&) const = default;
};

/// Where pages are to be in a run that is known beforehand: the file of setting placement (schema lbhm.placement/2).
struct PlacementScript {
  Bytes page{4096};
  TierId unmanaged{0};                                              ///< first choice for unmanaged pages
  std::map<std::uint64_t, ScriptedObject> objects;                  ///< by the number that runs call them by
  std::vector<ScriptedRun> births;                                  ///< by object; where pages appear
  std::map<std::uint64_t, std::vector<ScriptedRun>> moves;          ///< by call of LB_HM_config, from 0; in order
  std::map<ScriptedPoint, std::vector<ScriptedRun>> inner_moves{};  ///< at barriers; in order
  bool whole = false;                             ///< runs are of whole objects, however large these are
  std::map<std::uint64_t, std::string> phases{};  ///< by call: what the phase is called that it begins
};

/// What a policy needs of the machine and of the runtime.
struct Needs {
  std::vector<TierId> first_touch;        ///< tiers in which pages without a decision appear, best first
  std::vector<TierId> unmanaged_touch{};  ///< tiers in which unmanaged pages appear, best first; empty: first_touch
  bool unlimited = false;                 ///< it pretends that tier 0 had no limit
  bool scatter = false;        ///< the share LBHM_FAST_SHARE of these pages, chosen by chance, is in tier 0 instead
  bool memory_mode = false;    ///< the hardware keeps tier 0 as a cache of the next one (emulated machines only)
  bool leaves_pages = false;   ///< pages stay where they appear, even where there is room in a better tier
  bool script = false;         ///< PolicyOptions::script
  bool takes_script = false;   ///< the same, of whole objects, where the user has one
  bool fresh_objects = false;  ///< blocks that the program gives back are not kept: each request is a new object
  bool phases = false;         ///< LBHM_FIND_PHASES finds phases for this policy, although it wants no forecast
  bool forecast = false;       ///< profiles and samples of phases, and from them PhaseView::forecast
  bool recent_pages = false;   ///< pages are expected to be used as in the last instances, not as in the base one
  bool background = false;     ///< Decision::background
  bool decides_beside =
      false;                 ///< on_phase with a forecast comes from a thread of the machine, while the program goes on
  double assumed_error = 0;  ///< prediction error of a phase before its first prediction was seen
  bool progress = false;     ///< PolicyContext::running
  std::optional<Nanoseconds> interval{};  ///< how often on_interval is called; nothing: never
  bool samples = false;                   ///< samples for on_interval; with forecast there are some anyhow
  bool events = false;                    ///< on_interval asks for Machine::all_events
  bool observer = false;                  ///< on_interval looks at Machine::observer(): without one it is not called
  bool hint_faults = false;               ///< the observer's hint faults, too
  bool finds_pages = false;               ///< PolicyContext::found: its scans can count a base instance's accesses
  bool samples_will_do =
      false;  ///< where there is no observer: on_interval is called all the same if there are samples
};

/// Why pages of a site lay where they lay, in means over their time.
struct SiteWorth {
  SiteId site{};
  double pages = 0, fast_pages = 0;  ///< that were there at a time, and those of them in tier 0
  double worth = 0;  ///< of a page in tier 0: nanoseconds of the program's end a nanosecond, as the policy expected it
};

/// A placement policy. One variant a file in policies/, one line each in policies/policy_table.cpp.
///
/// Contract: needs() comes first; on_object and on_phase come from any thread, each of them from one at
/// a time; on_interval comes from a thread of the machine, at the same time as those two. Nothing throws or waits for a
/// thread of the program. A plan names any tier of the machine.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::string_view name() const = 0;
  /// Asked before the machine is made, for what it has to offer: then with a topology of no tiers; and once it is made.
  virtual Needs needs(const Topology& machine) const = 0;
  /// Untouched pages in the ranges of these moves appear in the tiers named, if they have room, all others as
  /// Needs::first_touch says.
  virtual MigrationPlan on_object(const NewObject&) { return {}; }
  /// Called at every begin of a phase, the first ones included; with Needs::decides_beside soon after it, if there is
  /// to be a forecast and the machine has a thread for it, and not at all if the phase ends before.
  virtual Decision on_phase(const PhaseView&) { return {}; }
  /// The last decision of on_phase begins to be carried out; with Needs::decides_beside when the time that deciding
  /// takes is over.
  virtual void carried_out() {}
  /// Of policies with Needs::forecast on machines with samples: called at every begin, before on_phase.
  virtual void phase_begins(const PhaseView&) {}
  /// Asked before a forecast that is possible is made, because that takes time.
  virtual bool wants_forecast(const PhaseHistory&) { return true; }
  /// Asked in place of on_phase where nothing has changed since its last decision for the phase: the same objects, and
  /// no page has moved. True: that decision stands. Then nothing is forecast or moved, and its samples are taken.
  virtual bool stands(const PhaseView&) { return false; }
  /// While the program runs. It migrates through the context, because daemons look at what became of their moves.
  virtual void on_interval(PolicyContext&) {}
  /// Sentences for the run report, when the program has ended.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// By site; of policies that weigh pages.
  virtual std::vector<SiteWorth> worths() const { return {}; }
};

struct PolicyOptions {
  double pace = 1;             ///< a factor on all times that the policy keeps by itself (LBHM_PACE)
  std::string_view without{};  ///< names of parts to do without, with commas (LBHM_WITHOUT)
  std::optional<PlacementScript> script{};
  std::string_view sicm_chooser = "thermos";  ///< or hotset, knapsack (LBHM_SICM_CHOOSER)
  Bytes sicm_piece{0};                        ///< into which sites are taken apart; 0: they are wholes
  double sicm_keep = 1;                       ///< share of older samples that counts at the next interval

  /// Whether this part is to be there. Parts that a policy asks for when it is made are those that it has.
  bool with(std::string_view part) const;

  mutable std::vector<std::string_view> asked{};
};

struct PolicyEntry {
  std::string_view name;
  std::string_view sentence;  ///< what it does, for `lbhm policies` and docs
  std::unique_ptr<Policy> (*make)(const PolicyOptions&);
};

/// All policies, in the order in which they are shown.
std::span<const PolicyEntry> policy_table();
/// Errors: not_found, with the names that exist; invalid_argument for a part that the policy does not have.
Result<std::unique_ptr<Policy>> make_policy(std::string_view name, const PolicyOptions& options = {});

}  // namespace lbhm
