// colloid: Colloid on MEMTIS (Vuppalapati, Agarwal: "Tiered Memory Management: Access Latency is the Key!", SOSP '24,
// sections 3 and 4.3; constants as in the authors' webglider/memtis, colloid-mon.c).
//
// Which pages are hot is MEMTIS's knowledge (memtis_daemon.h). How many of them belong into the fast memory is decided
// by the latencies that both tiers have under load: each quantum of 500 ms the controller (latency_balance.h) says by
// how much the share p of the accesses that the fast tier serves has to change, and pages whose shares of the accesses
// make up that change move: up while the fast tier answers first, down when it does not. The dynamic limit keeps the
// bytes that migration moves in a quantum below the bytes of the accesses that it shifts.
//
// Two tiers are balanced, tier 0 against all slower ones together, for which the next one's idle latency stands; pages
// that leave go to the next tier with room.
//
// Not here: occupancy counters of the memory controller; loads are sampled with their latencies, which are the same by
// Little's law. The ten-millisecond polls of a quantum are one weight (latency_balance.h).
#include <optional>
#include <vector>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/latency_balance.h"
#include "runtime/placement/daemons/memtis_daemon.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

/// Hot pages, the hottest first, that have at most the share `shift` of all accesses, and at most `limit` of them.
std::vector<std::uintptr_t> pages_of(const PageBins& tier, const HotPages& pages, double shift, std::uint64_t limit) {
  std::vector<std::uintptr_t> chosen;
  double left = shift * static_cast<double>(pages.total());
  for (unsigned bin = PageCounters::bins; bin-- > pages.threshold().hot();) {
    for (const PageBins::Page& page : tier.bins[bin]) {
      if (chosen.size() >= limit) return chosen;
      if (static_cast<double>(page.count) > left) continue;
      left -= static_cast<double>(page.count);
      chosen.push_back(page.address);
    }
  }
  return chosen;
}

class Colloid final : public Policy {
 public:
  explicit Colloid(const PolicyOptions& options) : daemon_(options.pace) {}
  std::string_view name() const override { return "colloid"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .samples = true};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    daemon_.pages().born(fresh.object.address);
    return {};
  }

  void on_interval(PolicyContext& context) override {
    const Topology& machine = context.machine().topology();
    if (machine.tiers.size() < 2 || !daemon_.wake_up(context)) return;
    if (!balance_) balance_.emplace(machine.tiers[0].latency_random, machine.tiers[1].latency_random);
    balance_->observe(load(true, context.machine()), load(false, context.machine()));
    context.migrate(plan(*balance_, context.machine()));
  }

 private:
  LatencyBalance::Load load(bool fast, Machine& machine) const {
    double samples = 0, latencies = 0;
    for (const AccessSample& sample : daemon_.samples()) {
      if (sample.write || (sample.tier == TierId(0)) != fast) continue;
      samples += 1;
      latencies += sample.latency.value;
    }
    if (samples == 0) return {};
    return {AccessCount(samples * machine.samples()->period().value), Nanoseconds(latencies / samples)};
  }

  MigrationPlan plan(const LatencyBalance& balance, Machine& machine) {
    const Bytes page = machine.topology().page;
    const HotPages& pages = daemon_.pages();
    const double lines = balance.shift() * balance.accesses().value;
    const auto limit = static_cast<std::uint64_t>(lines * (machine.topology().line / page));
    const bool up = balance.fast_is_faster();
    const auto chosen = pages_of(up ? pages.slow() : pages.fast(), pages, balance.shift(), limit);
    MigrationPlan plan;
    const std::uint64_t room = daemon_.demote_cold(up ? chosen.size() : 0, machine, plan);
    TierBelow below(machine, TierId(0));
    for (std::size_t i = 0; i < chosen.size() && (!up || i < room); ++i) {
      add_move(plan, chosen[i], page, up ? TierId(0) : below.next());
    }
    return plan;
  }

  MemtisDaemon daemon_;
  std::optional<LatencyBalance> balance_;
};

}  // namespace

std::unique_ptr<Policy> make_colloid(const PolicyOptions& options) { return std::make_unique<Colloid>(options); }

}  // namespace lbhm::policies
