// h2m-fcfs, h2m-initial, h2m-lifetime, h2m-phases: H2M (Klinkenberg et al., "Phase-based Data Placement Optimization in
// Heterogeneous Memory", CLUSTER '24). What differs between them is in the file of setting placement: `lbhm optimize`
// has chosen a tier for each object that a profile knows, by first come, knapsack, lifetimes or phases (docs/h2m.md).
//
// lbhm-offline is the same with a file that gives fast memory to the tasks that end last.
//
// sicm-offline (docs/sicm.md) is the same with a file of whole sites; what no site is known of, small blocks and
// stacks, appears in fast memory, as in SICM's private arenas.
//
// An object is known by its site and which of the objects from there it is. It appears in its tier as a whole and stays
// there, or moves when a phase begins; the program waits for that, as in the paper, unless LBHM_WITHOUT=blocking. What
// the file does not know appears in the slowest memory.
#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "runtime/base/range_map.h"
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/whole_objects/scripted_births.h"

namespace lbhm::policies {
namespace {

class H2m final : public Policy {
 public:
  enum class SmallBlocks : std::uint8_t { slow, fast };
  H2m(std::string_view name, const PolicyOptions& options, SmallBlocks small = SmallBlocks::slow)
      : name_(name), small_(small), blocking_(options.with("blocking")), script_(options.script) {
    if (script_) births_.emplace(*script_);
  }
  std::string_view name() const override { return name_; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine),
            .unmanaged_touch = small_ == SmallBlocks::fast ? fastest_first(machine) : std::vector<TierId>{},
            .script = true,
            .fresh_objects = true,
            .phases = true,
            .background = !blocking_};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    const std::lock_guard lock(mutex_);
    const std::uintptr_t first = fresh.object.address, end = first + fresh.object.bytes.value;
    objects_.drop(first, end);  // nobody says when objects are freed, but where a new one is now there is no other
    const auto number = number_of(fresh);
    if (!number || !births_) return {};
    addresses_[*number] = first;
    objects_.set(first, end, *number);
    const auto birth = births_->birth_of(*number);
    if (!birth) return {};
    return {.moves = {{.address = fresh.object.address, .bytes = fresh.object.bytes, .to = birth->tier}}};
  }

  Decision on_phase(const PhaseView& phase) override {
    const std::lock_guard lock(mutex_);
    Decision decision;
    phases_begun_ = std::max(phases_begun_, phase.number + 1);
    if (!script_ || !script_->moves.contains(phase.number)) return decision;
    const auto name = script_->phases.find(phase.number);
    if (name != script_->phases.end() && name->second != phase.name) {
      ++other_phases_;
      return decision;
    }
    std::map<std::uintptr_t, Bytes> here;  // found phases list all objects that there are
    for (const PlacedObject& object : phase.objects) here.emplace(object.address, object.bytes);
    MigrationPlan& plan = blocking_ ? decision.plan : decision.background;
    for (const ScriptedRun& run : script_->moves.at(phase.number)) {
      const auto object = find(run.object);
      if (object == objects_.end() || (phase.found && !here.contains(object->first))) continue;
      plan.moves.push_back(
          {.address = object->first, .bytes = Bytes(object->second.end - object->first), .to = run.tier});
    }
    return decision;
  }

  std::vector<std::string> remarks() const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    const std::string begin = "policy " + std::string(name_) + ": ";
    if (unknown_ > 0)
      lines.push_back(
          begin + std::to_string(unknown_) + " objects (" + std::to_string(unknown_bytes_.value) +
          " bytes) are not in LBHM_PLACEMENT and appeared in the slowest memory: the profile was of another "
          "program or another input; profile this one with lbhm profile");
    if (beyond_ > 0)
      lines.push_back(
          begin + std::to_string(beyond_) +
          " objects are further ones of sites in LBHM_PLACEMENT and were placed as the last one known there");
    if (script_ && addresses_.size() < script_->objects.size())
      lines.push_back(begin + std::to_string(script_->objects.size() - addresses_.size()) +
                      " objects of LBHM_PLACEMENT did not appear");
    if (other_phases_ > 0)
      lines.push_back(begin + std::to_string(other_phases_) +
                      " phases are called otherwise than in LBHM_PLACEMENT, so nothing moved when they began");
    if (const auto never = phases_that_never_came(); never > 0)
      lines.push_back(begin + std::to_string(never) +
                      " phases of LBHM_PLACEMENT never came, so nothing moved for them: the profile was of a run with "
                      "more phases");
    return lines;
  }

 private:
  /// The object of this number in the script; the end of objects_ if it has not appeared, or is gone.
  RangeMap<std::uint64_t>::const_iterator find(std::uint64_t number) const {
    const auto at = addresses_.find(number);
    const auto object = at == addresses_.end() ? objects_.end() : objects_.starting(at->second);
    return object != objects_.end() && object->second.value == number ? object : objects_.end();
  }

  /// Of those at whose begin objects were to move.
  std::ptrdiff_t phases_that_never_came() const {
    return script_ ? std::distance(script_->moves.lower_bound(phases_begun_), script_->moves.end()) : 0;
  }

  /// In the script; of a site with fewer objects than it has now, the last one there.
  std::optional<std::uint64_t> number_of(const NewObject& fresh) {
    const auto known = births_ ? births_->find(fresh.site, fresh.nth) : std::nullopt;
    if (!known) {
      ++unknown_;
      unknown_bytes_ += fresh.object.bytes;
      return std::nullopt;
    }
    beyond_ += known->further ? 1 : 0;
    return known->number;
  }

  const std::string_view name_;
  const SmallBlocks small_;
  const bool blocking_;
  mutable std::mutex mutex_;  // objects appear on any thread
  std::optional<PlacementScript> script_;
  std::optional<placement::ScriptedBirths> births_;
  std::map<std::uint64_t, std::uintptr_t> addresses_{};  // by number, of all that have appeared
  RangeMap<std::uint64_t> objects_;                      // their numbers
  std::uint64_t unknown_ = 0, beyond_ = 0, other_phases_ = 0, phases_begun_ = 0;
  Bytes unknown_bytes_;
};

}  // namespace

std::unique_ptr<Policy> make_h2m_fcfs(const PolicyOptions& options) {
  return std::make_unique<H2m>("h2m-fcfs", options);
}
std::unique_ptr<Policy> make_h2m_initial(const PolicyOptions& options) {
  return std::make_unique<H2m>("h2m-initial", options);
}
std::unique_ptr<Policy> make_h2m_lifetime(const PolicyOptions& options) {
  return std::make_unique<H2m>("h2m-lifetime", options);
}
std::unique_ptr<Policy> make_lbhm_offline(const PolicyOptions& options) {
  return std::make_unique<H2m>("lbhm-offline", options);
}
std::unique_ptr<Policy> make_sicm_offline(const PolicyOptions& options) {
  return std::make_unique<H2m>("sicm-offline", options, H2m::SmallBlocks::fast);
}
std::unique_ptr<Policy> make_h2m_phases(const PolicyOptions& options) {
  return std::make_unique<H2m>("h2m-phases", options);
}

}  // namespace lbhm::policies
