// Door of runtime/phases: intervals of the program that repeat, each known by a key, and what their instances did.
// Today a call of LB_HM_config begins one, which lasts until the next.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/objects/objects.h"
#include "runtime/phases/input_kinds.h"
#include "runtime/phases/named_tasks.h"
#include "runtime/phases/region_instance.h"
#include "runtime/sampling/sampling.h"

namespace lbhm {

/// An object as a phase knows it, from instance to instance: where it comes from, and which of those from there it is
/// in the phase's list. Addresses, sizes and the order of the list do not matter.
struct ObjectKey {
  SiteId site;
  std::uint32_t rank = 0;  ///< among objects of one site in one list
  auto operator<=>(const ObjectKey&) const = default;
};

/// An object that an instance uses.
struct PhaseObject {
  std::uintptr_t address = 0;  ///< of its first byte
  Bytes bytes;
  std::string name{};  ///< may be empty
  SiteId site{};
  bool managed = true;     ///< LB-HM allocated it: its pages can move
  bool anonymous = false;  ///< its site is its position in the list: in another list another address is another object
  ObjectId id{};           ///< of the registry, where the list is of all its objects
};

/// What is known of a phase but for its tasks, which runtime/knowledge knows.
struct Phase {
  std::uint32_t number = 0;  ///< in the order in which phases were met
  std::string name;
  std::string kind;  ///< what the program calls its inputs (lbhm_phase), or "2", "3", ... if it was found; else empty
  PhaseHistory history{};
  std::uint32_t objects = 0;                   ///< slots so far; they grow when an instance lists a new object
  std::vector<std::uintptr_t> last_objects{};  ///< addresses of the instance before
  std::map<std::uint32_t, TaskIndex> tasks{};  ///< of each region that it had, by number
  /// Of the kinds that the call had before the one most like it. Slots are the same; no plan is made by it: on PIC a
  /// first instance that was took twice as long (docs/policies.md).
  const Phase* like = nullptr;

  /// The slots of objects in the order of their list. Known ones keep theirs. A new one plays the part of the object
  /// that the first list had at its position, if that is not in this list (a program that works on one buffer after the
  /// other); else it gets the next slot.
  std::vector<ObjectSlot> slots_of(std::span<const PhaseObject> list);
  /// The same for a list of all objects that there are, by birth: who lives on keeps its slot, and a new one gets that
  /// of the first of its site that is gone.
  std::vector<ObjectSlot> slots_of_all(std::span<const PhaseObject> list);
  /// Objects have the slots that they have there.
  void take_slots(const Phase& other);

 private:
  std::map<ObjectKey, std::uint32_t> slots_{};
  struct Living {
    SiteId site;
    ObjectId id;
  };
  std::vector<Living> living_{};  ///< by slot, of a list of all
};

/// All phases. One call of LB_HM_config in the source may have several addresses, because the compiler unrolled a loop
/// or inlined a function: calls from one function that list the same objects are one. A call has a phase for each kind
/// of input: those that the program names, and without a name those that are found (input_kinds.h). Not thread-safe.
class PhaseTable {
 public:
  /// The phase of a call at `site` with these objects. `kind`: what the program calls the input, empty for nothing.
  Phase& at(const void* site, std::span<const PhaseObject> objects, std::string_view kind = {});
  bool empty() const { return by_site_.empty(); }

 private:
  struct Call {
    std::map<std::string, Phase*, std::less<>> named;
    InputKinds kinds;
    std::vector<Phase*> found;  ///< by kind
    // All of them, with the shape of their first input.
    std::vector<InputShape> shapes;
    std::vector<Phase*> phases;
  };
  Call& call_at(const void* site, std::span<const PhaseObject> objects);
  Phase* make(Call& call, const void* site, std::string kind, const InputShape& shape);

  std::vector<std::unique_ptr<Phase>> phases_;
  std::vector<std::unique_ptr<Call>> calls_;
  std::unordered_map<const void*, Call*> by_site_;
  std::unordered_map<std::string, Call*> by_list_;
};

/// What a task did in one execution of a region: a lane, or the part of the lanes' work that the program named.
struct TaskRun {
  LaneId number;                    ///< TaskIndex
  TaskNumber task = 0;              ///< 0: what a lane did for none that was named
  std::uint32_t on = 0;             ///< lanes that worked at it, side by side
  Reading did{};                    ///< work and events are means over these lanes, accesses of them all; no time
  const LaneState* lane = nullptr;  ///< null: a named task
};

/// By number, those that did nothing this time among them; into a list whose memory is used again.
void tasks_of(const RegionInstance& region, TaskIndex& index, std::vector<TaskRun>& tasks);
/// From now on samples of the region's lanes are of its tasks.
void assign(std::span<AccessSample> samples, const RegionInstance& region, TaskIndex& index);

/// What one task did in an instance of a phase, over all executions of a region; a lane as a rule.
struct LaneTotals {
  Nanoseconds time;
  EventCounts events;
  std::vector<double> blocks;    ///< executions by counter; empty if they are not counted
  std::vector<NotedBase> notes;  ///< loops that it began; base instance only
};

/// What a region did in an instance of a phase, in all its executions together.
struct RegionRun {
  std::uint32_t executions = 0;
  Nanoseconds time;
  std::vector<LaneTotals> lanes;      ///< by TaskIndex
  std::vector<AccessSample> samples;  ///< of the first executions
  Nanoseconds sampled_time;           ///< of these
  FoundCounts found{};                ///< pages that scans of accessed bits found; empty: none was made

  /// A program may plan once and then run millions of regions: the samples of the first ones stand for all. As many as
  /// the report shows, for their predictions are explained from their samples.
  static constexpr std::uint32_t sampled_executions = 2'000;

  /// An execution has ended; its samples come with add_samples. `tasks`: what its tasks did.
  void add(const RegionInstance& region, std::span<const TaskRun> tasks);
  /// Of an execution that took `spent`, the samples from `first` on.
  void add_samples(Nanoseconds spent, std::size_t first);
  /// Accesses that a sample stands for, if it was taken once in `period` accesses.
  AccessCount accesses_a_sample(AccessCount period) const {
    return sampled_time.value > 0 ? period * (time / sampled_time) : period;
  }
};

/// A phase under way.
struct PhaseInstance {
  Phase* phase = nullptr;
  std::vector<SlotRange> objects;              ///< by slot; those that it did not list are empty
  std::vector<std::string> names;              ///< of the same length
  std::map<std::uint32_t, RegionRun> regions;  ///< by number
};

}  // namespace lbhm
