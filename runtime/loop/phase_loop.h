// The loop: sample, learn, forecast, decide, move, report.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/knowledge/knowledge.h"
#include "runtime/knowledge/model_choice.h"
#include "runtime/machine/machine.h"
#include "runtime/migration/actor.h"
#include "runtime/objects/objects.h"
#include "runtime/pages/page_tracker.h"
#include "runtime/phases/found_phases.h"
#include "runtime/phases/lanes.h"
#include "runtime/phases/phases.h"
#include "runtime/placement/placement.h"
#include "runtime/record/recorder.h"
#include "runtime/record/timeline.h"
#include "runtime/record/use_profile.h"
#include "runtime/sampling/found_pages.h"
#include "runtime/sampling/sample_feed.h"

namespace lbhm {

/// The services that the loop leads data through; it owns none of them. Its own calls are one at a time.
struct LoopServices {
  Machine& machine;
  Policy& policy;
  ObjectRegistry& objects;
  PageTracker& pages;
  SampleFeed& samples;
  FoundPages& found;
  Knowledge& knowledge;
  Recorder& recorder;
  Actor& actor;
  Timeline* timeline = nullptr;  ///< null: nobody wants to see one
  UseProfile* uses = nullptr;    ///< is told of phases; null: nobody asked for it
};

struct LoopSettings {
  Needs needs;                 ///< of the policy, on this machine
  bool placing = false;        ///< the machine has tiers to choose from
  bool intervals = false;      ///< the policy acts at intervals, too
  bool beside = false;         ///< somebody calls decide(): plans are made there
  bool bits = false;           ///< accesses of base instances are counted by the policy's scans of accessed bits
  bool finds_phases = false;   ///< of programs that name none
  bool region_phases = false;  ///< these are regions, each that is another one than the last
  bool blocks = false;         ///< executions of basic blocks are for the report
  std::string model{};         ///< ModelChoice::choose
  std::string models{};        ///< folder of the shipped ones
};

/// What runs between two calls of begin() is an instance of a phase. All calls but those of RegionSink from any thread.
class PhaseLoop final : public RegionSink {
 public:
  PhaseLoop(const LoopServices& services, LoopSettings settings);

  /// What measures the program's lanes, which are to be told what is wanted of them. Called once, before the others.
  void attach(Lanes& lanes);

  /// Ends the phase under way and begins the one of a call at `site` for an input of that kind (PhaseTable::at): plans
  /// for it, moves its pages. The handle names it. Throws std::bad_alloc; forget() then.
  void* begin(const void* site, std::span<const PhaseObject> objects, std::string_view kind = {});
  /// The same for a phase that the program names without saying which objects it uses: all that there are.
  void transition(const void* site, std::string_view name);
  /// Ends the phase under way, if there is one: learns from it.
  void close();
  /// What was seen of the phase under way is not to be learned from.
  void forget();
  /// The program's run is over: regions that end from now on are not recorded.
  void finish();
  bool acts_at_intervals() const { return settings_.intervals; }
  bool decides_beside() const { return settings_.beside; }
  /// Called again and again by a thread of the machine: makes the plan that the phase under way waits for, and carries
  /// it out. Waits for nobody: if the loop is at work it is for the next call. Throws std::bad_alloc.
  void decide();
  /// The machine has no thread for them after all. Before the first phase.
  void do_without_intervals();
  void decide_at_begin() { settings_.beside = false; }
  /// Sentences for the report.
  std::vector<std::string> remarks();
  /// The report of all that was. Throws std::bad_alloc.
  std::string report(const RunSummary& run);
  std::string_view correlation() const { return model_.name(); }
  /// Names of the parallel constructs that were met, by number. Throws std::bad_alloc.
  std::vector<std::string> region_names();

  std::uint32_t number_of(const void* code) override;
  void region_begins(const void* code) override;
  void region_ended(RegionInstance& region, Nanoseconds end) override;
  void region_forgotten() override { forget(); }

 private:
  /// A forecast and what was decided by it.
  struct Plan {
    PhaseForecast forecast;
    Decision decision;
    std::vector<EvictionCandidate> candidates;
    Nanoseconds spent;
  };
  /// The phase under way.
  struct Running {
    PhaseInstance instance;
    std::uint64_t number = 0;     ///< of the phase in this run
    bool found = false;           ///< the program did not name it: its objects are all that there are
    bool waits_for_plan = false;  ///< for decide()
    std::optional<Plan> plan{};   ///< made there, and not yet carried out
    std::map<std::uint32_t, PlannedRegion> planned;  ///< by region; empty if it was not
    Nanoseconds time;                                ///< of the regions that have ended
    Nanoseconds missed;     ///< by region the largest difference of a task to its prediction, all regions together
    Nanoseconds predicted;  ///< time of the regions that were predicted
  };

  void look() const {
    if (with_.timeline) with_.timeline->look();
  }
  void* begin_locked(const void* site, std::span<const PhaseObject> objects, std::string_view kind, bool found);
  void list_objects();
  void close_locked();
  void check_bits();
  void note_new_regions(const PhaseInstance& run);
  void stop_noting();
  /// A decision that stands until something changes.
  struct Standing {
    std::vector<SlotRange> objects;
    Bytes moved;  ///< by then
    PhaseForecast forecast;
    Budget budget;
  };

  void note_unmanaged(std::span<const PhaseObject> objects);
  void plan(Running& run);
  void without_forecast(Running& run);
  Plan make_plan(Running& run);
  void carry_out(Running& run, Plan plan);
  const Standing* standing_for(const Running& run);
  void go_on(Running& run, const Standing& standing, Nanoseconds measured);
  Nanoseconds least_decision(const Running& run);
  PhaseHistory history_of(const Running& run);
  PhaseView view_of(const Running& run, const std::vector<PlacedObject>& objects, const PhaseForecast* forecast);
  Nanoseconds charge(Nanoseconds measured, Nanoseconds counted);
  Decision ask(const Running& run, const PhaseForecast* forecast);
  std::vector<ObjectRecord> planned_objects(const PhaseInstance& instance, const PhaseForecast& forecast,
                                            const Decision& decision);
  void record_plan(Running& run, const PhaseForecast& forecast, const Decision& decision, const MoveReport& moves,
                   Nanoseconds spent);
  void keep_predictions(Running& run, const PhaseForecast& forecast, const Budget& budget);
  void begin_sampling(Running& run);
  std::span<const AccessSample> add_to_phase(Running& running, const RegionInstance& region, TaskIndex& index);
  void compare(Running& run, std::span<const AccessSample> samples, RegionInstance& region);
  PhaseProfile measured_in(const RegionInstance& region, std::span<const AccessSample> samples,
                           const ExecutedBlocks& executed) const;
  std::vector<std::optional<PatternKind>> hints_for(const PhaseInstance& run) const;

  const LoopServices with_;
  LoopSettings settings_;
  std::atomic<bool> finds_phases_;  ///< the program has named none so far
  const void* last_region_ = nullptr;
  Lanes* lanes_ = nullptr;
  std::mutex mutex_;  ///< guards what follows
  ModelChoice model_;
  PhaseTable phases_;
  std::unique_ptr<Running> running_;
  std::map<std::uint32_t, Standing> standing_;  ///< by phase
  std::uint64_t begun_ = 0;
  FoundPhases found_phases_;
  std::vector<PhaseObject> all_objects_;  ///< of the registry, when it had the version listed_
  std::uint64_t listed_ = 0;
  bool forecast_ = false;        ///< there was something to plan from
  bool came_again_ = false;      ///< a phase had more than one instance
  std::string unmanaged_;        ///< what was said of the first object that cannot move; empty: nothing yet
  std::string without_bits_;     ///< why samples count all the same; empty: nobody asked for bits, or bits count
  std::uint32_t bases_ = 0;      ///< base instances of regions that bits were to count
  std::uint32_t unscanned_ = 0;  ///< of these, those in which scans found nothing
  bool finished_ = false;
  std::vector<TaskRun> tasks_;  // of the region that ends
};

}  // namespace lbhm
