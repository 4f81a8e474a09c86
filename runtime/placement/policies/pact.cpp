// pact: PACT ("PACT: A Criticality-First Design for Tiered Memory", ASPLOS '26). Looked up: what the authors say of it
// in their repository (MoatLab/PACT) and its sources, which differ from the paper's system in how threads share the
// work: src/pebs-aggregator.c (Algorithm 1), balance.c (Algorithm 2), binning.c (Algorithm 3), pact.c, config.h.
//
//   1  Every 20 ms the stalls of slow memory are estimated: latency x misses / memory-level parallelism. Each sampled
//      load of slow memory adds its share to the criticality (PAC) of its page, which is never forgotten (cooling is
//      off by default).
//   3  A page whose PAC is in the last of 20 bins is promoted at its next sample. The width of a bin is 2 IQR / n^(1/3)
//      (Freedman-Diaconis), of the quartiles of 100 PAC values drawn by chance and the number of pages; it is doubled
//      where there are candidates. Theirs is halved while more candidates wait than a share of the pages; here each
//      page is one once a window, so that they are never more than all.
//   2  Inactive pages leave fast memory by Linux's lists (linux_lists.h), as many as are promoted (margin m = 0).
//
// The 20 ms and the number of pages scale with the footprint (bc-kron). Latencies are the idle ones of the machine's
// memories, for which theirs has constants (238 and 771 cycles). Parallelism is that of all loads together: theirs has
// counters by memory. Where nobody counts it, it is 1. max_migrations_per_cycle limits batches, not promotions, as in
// their code.
//
// Assumption: room is made for the pages that wait. Theirs lets kswapd demote while fewer pages were demoted than
// promoted, and the first promotions find what kswapd keeps free; here fast memory is full to its last page.
//
// With more than two tiers critical pages of any slower one come to tier 0, and inactive ones go to the next.
//
// Not here: huge pages and neighbours; the runtime's own processor time is not charged, as that of memtis. Scans of
// accessed bits are.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>
#include <vector>

#include "runtime/base/chance.h"
#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/linux_reclaim.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

/// Values that were drawn by chance from all that came so far.
class Reservoir {
 public:
  void add(double value) {
    if (count_ < values_.size())
      values_[count_++] = value;
    else if (const std::uint64_t at = mix(seen_) % (seen_ + 1); at < values_.size())
      values_[at] = value;
    ++seen_;
  }
  /// Between the first and the third quartile; 0: not known yet.
  double range() const {
    if (count_ < 4) return 0;
    auto sorted = values_;
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count_));
    return sorted[3 * count_ / 4] - sorted[count_ / 4];
  }

 private:
  std::array<double, 100> values_{};  // RESERVOIR_SIZE
  std::size_t count_ = 0;
  std::uint64_t seen_ = 0;
};

class Pact final : public Policy {
 public:
  explicit Pact(const PolicyOptions& options) : pace_(options.pace) {}
  std::string_view name() const override { return "pact"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine),
            .interval = daemon_interval,
            .samples = true,
            .events = true,
            .observer = true};
  }

  void on_interval(PolicyContext& context) override {
    Machine& machine = context.machine();
    const Nanoseconds now = machine.execution().now();
    if (machine.samples() == nullptr || machine.topology().tiers.size() < 2 || !alarm_.rings(now)) return;
    alarm_.set(now + scaled(window, published_footprint, machine.peak_footprint()) * pace_);
    reclaim_.follow(context);
    const std::vector<std::uintptr_t> critical = count(context);
    widen(machine, critical.size());
    promote(context, critical);
  }

 private:
  static constexpr TierId fast{0};
  static constexpr Bytes published_footprint{
      std::uint64_t{19'500'000'000}};            // run/workloads.sh: bc-kron, scale 27, degree 16
  static constexpr Nanoseconds window{20e6};     // PACT_DEFAULT_SAMPLING_INTERVAL_MS
  static constexpr double bins = 20;             // PACT_INITIAL_BIN_COUNT
  static constexpr double first_width = 1000;    // PACT_INITIAL_BIN_WIDTH, cycles
  static constexpr double few_candidates = 0.7;  // PACT_BINNING_TH_SCALE: pages by candidate

  /// Algorithm 1, and which pages are in the last bin, in the order of their samples.
  std::vector<std::uintptr_t> count(PolicyContext& context) {
    Machine& machine = context.machine();
    const Topology& topology = machine.topology();
    const double cycles = topology.cycles_per_nanosecond * machine.samples()->period().value / parallelism(machine);
    std::vector<std::uintptr_t> critical;
    std::set<std::uintptr_t> queued;
    samples_.clear();
    context.samples(samples_);
    for (const AccessSample& sample : samples_) {
      if (sample.write || sample.tier == fast || sample.tier == no_tier) continue;
      const std::uintptr_t address = sample.address / topology.page.value * topology.page.value;
      const LinuxReclaim::Pages::Page* const page = known(context, address);
      if (page == nullptr) continue;
      double& pac = pac_[address];
      pac += topology.tiers[sample.tier.value].latency_random.value * cycles * sample.weight;
      reservoir_.add(pac);
      if (pac / width_ >= bins - 1 && page->tier != fast && queued.insert(address).second) critical.push_back(address);
    }
    return critical;
  }

  /// A page that was touched after the last look is looked for once in a window.
  const LinuxReclaim::Pages::Page* known(PolicyContext& context, std::uintptr_t address) {
    const LinuxReclaim::Pages::Page* page = reclaim_.pages().find(address);
    const Nanoseconds now = context.machine().execution().now();
    if ((page == nullptr || page->tier == no_tier) && looked_ < now) {
      reclaim_.look(context);
      looked_ = now;
      page = reclaim_.pages().find(address);
    }
    return page == nullptr || page->tier == no_tier ? nullptr : page;
  }

  /// Loads under way while there are any, since the last window.
  double parallelism(Machine& machine) {
    const auto events = machine.all_events();
    if (!events || events->load_occupancy < 0 || events->load_cycles < 0) return 1;
    const double under_way = events->load_occupancy - before_.load_occupancy;
    const double cycles = events->load_cycles - before_.load_cycles;
    before_ = *events;
    return cycles > 0 ? std::max(1.0, under_way / cycles) : 1;
  }

  /// Algorithm 3. The number of pages is that of a program of the published footprint.
  void widen(Machine& machine, std::size_t candidates) {
    const double range = reservoir_.range();
    if (range <= 0 || pac_.empty()) return;
    const auto pages = static_cast<double>(pac_.size());
    width_ = 2 * range / std::cbrt(pages * (published_footprint / machine.peak_footprint()));
    if (candidates > 0) width_ *= pages / static_cast<double>(candidates) > few_candidates ? 2 : 0.5;
  }

  /// Algorithm 2, and the promotions.
  void promote(PolicyContext& context, std::vector<std::uintptr_t> pages) {
    Machine& machine = context.machine();
    const std::uint64_t page = machine.topology().page.value;
    const std::size_t room = machine.room(fast).value / page;
    if (pages.size() > room) reclaim_.demote(context, fast, pages.size() - room);
    const std::size_t coming = std::min<std::size_t>(pages.size(), machine.room(fast).value / page);
    if (coming < pages.size()) reclaim_.look(context);  // the lists may not have all pages yet
    pages.resize(coming);
    if (!pages.empty()) reclaim_.move(context, pages, fast);
  }

  double pace_;
  Alarm alarm_;
  LinuxReclaim reclaim_;
  Nanoseconds looked_{-1};
  std::vector<AccessSample> samples_;
  EventCounts before_;
  std::unordered_map<std::uintptr_t, double> pac_;  // cycles, by page
  Reservoir reservoir_;
  double width_ = first_width;  // of a bin, cycles
};

}  // namespace

std::unique_ptr<Policy> make_pact(const PolicyOptions& options) { return std::make_unique<Pact>(options); }

}  // namespace lbhm::policies
