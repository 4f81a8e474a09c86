// soar: SOAR, the object placement of "Tiered Memory Management Beyond Hotness" (Liu, Hadian, Xu, Li, OSDI '25, section
// 4.1); figures as in the authors' SoarAlto (src/soar/run/proc_obj_e.py, prof.sh).
//
// A profile says how much each object slows the program down: windows of a second with the amortised off-core latency
// (AOL) of the loads and the objects' shares of the sampled misses (object_profile.h). Objects go to fast memory whole,
// by score per byte, until it is full; the one at the border gets what is left. They stay there: nothing migrates by
// heat.
//
// What is different: SOAR profiles in a run of its own, with everything in fast memory, and places in the next. Here
// the profile is the first round of the program's phases (object_profile.h), in slow memory, as merchandiser's base
// instance, with AOL and stalls scaled to fast memory; objects are what LB_HM_config names, not call sites of malloc;
// those that exist already when the profile is complete move once, before the region. Sampling goes on after the
// profile and costs the program what it costs. ALTO, the paper's other half (AOL decides how much a page migration
// policy may migrate), is policy alto.
#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/whole_objects/object_profile.h"
#include "runtime/placement/whole_objects/static_placement.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr Nanoseconds window{1e9};             // perf stat -I 1000 of prof.sh
constexpr Bytes profiled_footprint = GiB(64);  // prof.sh maps graphs of up to 64 GB (vmtouch -m 64G)

class Soar final : public Policy {
 public:
  explicit Soar(const PolicyOptions& options) : pace_(options.pace) {}
  std::string_view name() const override { return "soar"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine), .interval = daemon_interval, .samples = true, .events = true};
  }

  Decision on_phase(const PhaseView& phase) override {
    if (!profile_.phase_begins(phase.objects)) return {};
    std::vector<RankedObject> objects;
    for (const ObjectProfile::Ranked& ranked : profile_.ranked()) {
      objects.push_back({ranked.object.address, ranked.object.bytes, objects.size(), ranked.name});
    }
    return {.plan = placement_.place(objects, phase.machine, Border::in_order)};
  }

  std::vector<std::string> remarks() const override { return placement_.remarks(name()); }

  void on_interval(PolicyContext& context) override {
    Machine& machine = context.machine();
    const Nanoseconds now = machine.execution().now();
    if (machine.samples() == nullptr || !alarm_.rings(now)) return;
    profile_.window(machine);
    alarm_.set(now + scaled(window, profiled_footprint, machine.peak_footprint()) * pace_);
  }

 private:
  ObjectProfile profile_;
  StaticPlacement placement_;
  Alarm alarm_;
  double pace_;
};

}  // namespace

std::unique_ptr<Policy> make_soar(const PolicyOptions& options) { return std::make_unique<Soar>(options); }

}  // namespace lbhm::policies
