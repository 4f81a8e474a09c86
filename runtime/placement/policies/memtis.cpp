// memtis: MEMTIS (Lee, Monga, Min, Eom: "MEMTIS: Efficient Memory Tiering with Dynamic Page Classification and Page
// Size Determination", SOSP '23), section 4; constants and order of steps as in the authors' kernel
// (cosmoss-jigu/memtis, linux/mm/htmm_*.c) and run_bench.sh.
//
// Sampled accesses are counted by page (PageCounters of memtis_daemon.h); as many of the hottest bins of the histogram
// as fit into the fast memory are hot (HotThreshold); every 2,000,000 samples all counters are halved. Threads that
// wake up every 500 ms demote cold pages when the fast memory is filled to its watermark or hot pages wait in slow
// memory, and promote hot pages. Times and numbers of samples scale with the footprint (HotPages).
//
// With more than two tiers hot pages of any slower one come to tier 0, and cold ones go to the next tier down with room
// (next_demotion_node; the kernel demotes from its top tier alone, and promotes one node at a time).
//
// Not here: huge pages, their splitting and coalescing (section 4.3): all pages are of 4 KiB. The machine's sampling
// period is fixed; a longer one is had by leaving samples out (SampleBudget), which does not make sampling cheaper
// for the program. Samples are misses of the last-level cache, loads and stores; MEMTIS samples load misses and, far
// more sparsely, all stores. In each class pages go hottest (coldest) first; MEMTIS takes them in the order of its LRU
// lists.
#include <optional>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/memtis_daemon.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

class Memtis final : public Policy {
 public:
  explicit Memtis(const PolicyOptions& options) : daemon_(options.pace) {}
  std::string_view name() const override { return "memtis"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .samples = true};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    daemon_.pages().born(fresh.object.address);
    return {};
  }

  void on_interval(PolicyContext& context) override {
    if (!daemon_.wake_up(context)) return;
    context.migrate(daemon_.exchange(context.machine()));
  }

 private:
  MemtisDaemon daemon_;
};

}  // namespace

std::unique_ptr<Policy> make_memtis(const PolicyOptions& options) { return std::make_unique<Memtis>(options); }

}  // namespace lbhm::policies
