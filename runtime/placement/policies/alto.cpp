// alto: ALTO on TPP, the page migration regulation of "Tiered Memory Management Beyond Hotness" (Liu, Hadian, Xu, Li,
// OSDI '25; its object placement is policy soar). Steps and figures as in the authors' SoarAlto: src/aol/README.md,
// run/bc-urand/set_migrate_scale.py, src/alto/tpp/tpp-alto.patch.
//
// Hot pages whose loads overlap gain little from fast memory. So once a second the amortised off-core latency (AOL) of
// the program is looked at: the mean latency of its loads over their memory-level parallelism, which is cycles with a
// load under way, by load. By it TPP may make so many of each ten promotions of a thread, the first ones: none up to 40
// cycles, all above 100. While loads take 100 cycles or less that number stays. TPP itself is tpp_daemon.h, unchanged:
// a page that may not come stays active and asks again at its next fault.
//
// What is different: the second is scaled by 64 GiB, for which run.sh maps its graph (vmtouch -m 64G), all else as tpp.
// Cycles are the machine's, as the authors' are those of their Skylake at 2.2 GHz. Off-core reads are those of main
// memory here; theirs (OFFCORE_REQUESTS.DEMAND_DATA_RD) are also hits of the last cache.
//
// Not here: ALTO on NBT, Nomad and Colloid, where it regulates how much is scanned (set_scan_scale.py), not what is
// promoted.
#include <array>
#include <map>
#include <optional>
#include <string>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/tpp_daemon.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

class Alto final : public Policy {
 public:
  explicit Alto(const PolicyOptions& options) : daemon_(options.pace), pace_(options.pace) {}
  std::string_view name() const override { return "alto"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine),
            .interval = daemon_interval,
            .events = true,
            .observer = true,
            .hint_faults = true};
  }

  void on_interval(PolicyContext& context) override {
    look(context.machine());
    daemon_.run(context, [this](const HintFault& fault) { return may_promote(fault.lane); });
  }

  std::vector<std::string> remarks() const override {
    if (!blind_) return {};
    return {"policy alto: this machine does not count loads under way, so nothing was regulated: as policy tpp"};
  }

 private:
  static constexpr Nanoseconds window{1e9};  // perf stat -I 1000, and the script's sleep
  static constexpr Bytes published_footprint = GiB(64);
  static constexpr double short_latency = 100;  // cycles: loads of mostly caches say nothing
  static constexpr unsigned promotions = 10;    // numa_balancing_page_cnt_limit

  /// numa_balancing_page_promote_scale: of ten promotions so many may be made up to this AOL.
  struct Step {
    double latency;  // cycles
    unsigned promotions;
  };
  static constexpr std::array steps{Step{40, 0}, Step{60, 1}, Step{80, 3}, Step{100, 5}};

  void look(Machine& machine) {
    const Nanoseconds now = machine.execution().now();
    if (!alarm_.rings(now)) return;
    alarm_.set(now + scaled(window, published_footprint, machine.peak_footprint()) * pace_);
    const auto events = machine.all_events();
    blind_ = !events || events->load_cycles < 0 || events->load_occupancy < 0 || events->l3_load_misses < 0;
    if (blind_) return;
    const double loads = events->l3_load_misses - before_.l3_load_misses;
    const double latency = (events->load_occupancy - before_.load_occupancy) / loads;
    const double amortised = (events->load_cycles - before_.load_cycles) / loads;
    before_ = *events;
    if (!(loads > 0) || latency <= short_latency) return;
    allowed_ = promotions;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      if (amortised <= step->latency) allowed_ = step->promotions;
  }

  /// should_numa_migrate_memory of the patch.
  bool may_promote(LaneId lane) {
    Ten& ten = tens_[lane];
    const bool may = ten.made < allowed_;
    ten.made += may;
    if (++ten.asked == promotions) ten = {};
    return may;
  }

  /// Promotions that the faults of a thread asked for, and those of them that were made.
  struct Ten {
    unsigned asked = 0, made = 0;
  };

  TppDaemon daemon_;
  double pace_;
  Alarm alarm_;
  EventCounts before_;
  unsigned allowed_ = promotions;
  std::map<LaneId, Ten> tens_;
  bool blind_ = false;
};

}  // namespace

std::unique_ptr<Policy> make_alto(const PolicyOptions& options) { return std::make_unique<Alto>(options); }

}  // namespace lbhm::policies
