// sicm: online guidance (Olson, Kammerdiener, Jantz, Doshi, Jones: "Online Application Guidance for Heterogeneous
// Memory Systems", ACM TACO 2022, section 4): whole allocation sites move between the tiers while the program runs,
// without a profile of an earlier run. docs/sicm.md has the paper sentence by sentence, and what differs.
//
// Sampled loads count for sites, for ever (site_profile.h). At each interval thermos, or another chooser, recommends a
// tier for each site (site_guidance.h). When leaving things as they are has cost more by then than moving would
// (ski_rental.h), everything moves, and new objects of these sites appear where their site is.
#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/sites/site_guidance.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr Nanoseconds interval{10e9};                 // IntervalTime; the paper tried 0.1, 1, 10 and 100 s
constexpr Bytes published_footprint{66'200'000'000};  // its Table 1: LULESH, medium

SiteChooser chooser_of(std::string_view name) {
  if (name == "knapsack") return choose::optimum;
  return name == "hotset" ? choose::hotset : choose::thermos;
}

class Sicm final : public Policy {
 public:
  explicit Sicm(const PolicyOptions& options)
      : pace_(options.pace),
        keep_(options.sicm_keep),
        chooser_(chooser_of(options.sicm_chooser)),
        moves_(options.with("moves")),
        pieces_(options.sicm_piece.value > 0),
        profile_(options.sicm_piece) {}
  std::string_view name() const override { return "sicm"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .samples = true};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    const std::lock_guard lock(mutex_);
    profile_.born(fresh.object.address, fresh.object.bytes, fresh.site, fresh.nth);
    const auto known = side_table_.find(fresh.site);
    if (known == side_table_.end()) return {};
    return {.moves = {{.address = fresh.object.address, .bytes = fresh.object.bytes, .to = known->second}}};
  }

  /// OnlineGDT. The profile counts what comes at every call, as the paper's thread does.
  void on_interval(PolicyContext& context) override {
    Machine& machine = context.machine();
    if (machine.samples() == nullptr) return;
    samples_.clear();
    context.samples(samples_);
    const std::lock_guard lock(mutex_);
    profile_.count(samples_, machine.samples()->period());
    const Nanoseconds now = machine.execution().now();
    if (!alarm_.rings(now)) return;
    alarm_.set(now + scaled(interval, published_footprint, machine.peak_footprint()) * pace_);
    maybe_migrate(context);
    profile_.reweight(keep_);
  }

  std::vector<std::string> remarks() const override {
    const std::lock_guard lock(mutex_);
    return {"policy sicm: its recommendations were enforced at " + std::to_string(enforced_) + " of " +
            std::to_string(decisions_.count()) + " intervals; it has seen " + std::to_string(most_sites_) +
            (pieces_ ? " pieces of sites" : " sites") + "; " + decisions_.sentence()};
  }

 private:
  void maybe_migrate(PolicyContext& context) {
    Machine& machine = context.machine();
    const Bytes page = machine.topology().page;
    const Nanoseconds begin = machine.execution().now();
    profile_.follow(context.objects());
    const std::vector<SiteState> sites = profile_.sites(context.placement(), page);
    if (sites.empty()) return;
    most_sites_ = std::max(most_sites_, sites.size());
    std::vector<Bytes> free, rooms;
    for (std::size_t tier = 0; tier < machine.topology().tiers.size(); ++tier) {
      free.push_back(machine.room(TierId(static_cast<std::uint8_t>(tier))));
      rooms.push_back(free.back());
      for (const SiteState& site : sites) rooms.back() += page * site.pages[tier];
    }
    const SkiPrices prices = ski_prices(machine);
    const std::vector<TierId> recommended = recommend(sites, rooms, prices, page, chooser_);
    const SiteMoves moves = moves_to(sites, recommended, free, page);
    charge(context, sites);
    decisions_.add(machine.execution().now() - begin);  // to collect and analyse the profile: the paper's Table 2
    if (!ski_costs(moves.parts, prices).enforce() || !moves_) return;
    ++enforced_;
    enforce(context, sites, recommended, moves.plan);
  }

  /// What deciding takes the thread that does it: it looks at each object, at each run of pages, and sorts sites.
  void charge(PolicyContext& context, const std::vector<SiteState>& sites) const {
    auto looks = static_cast<double>(profile_.objects());
    for (const SiteState& site : sites) {
      looks += std::log2(static_cast<double>(sites.size()) + 1) + static_cast<double>(site.untouched.size());
      for (const auto& ranges : site.lies) looks += static_cast<double>(ranges.size());
    }
    context.decided(Decision::per_look * looks);
  }

  /// EnforceTierRecs. "Additionally, the runtime updates a side table with the current site-tier assignments": pages
  /// that are not touched yet will appear there, too.
  void enforce(PolicyContext& context, const std::vector<SiteState>& sites, const std::vector<TierId>& recommended,
               MigrationPlan plan) {
    std::map<SiteId, std::map<TierId, std::uint64_t>> pages;  // where pieces differ, most of the pages decide
    for (std::size_t i = 0; i < sites.size(); ++i)
      if (sites[i].reads.value > 0) pages[sites[i].site][recommended[i]] += sites[i].resident();
    std::set<SiteId> changed;
    for (const auto& [site, by_tier] : pages) {
      const TierId tier = std::ranges::max_element(by_tier, {}, [](const auto& each) { return each.second; })->first;
      const auto [entry, fresh] = side_table_.try_emplace(site, tier);
      if (fresh || entry->second != tier) changed.insert(site);
      entry->second = tier;
    }
    for (const SiteState& site : sites)
      if (changed.contains(site.site))
        for (const PageRange& range : site.untouched)
          plan.moves.push_back({range.address, range.bytes, side_table_.at(site.site)});
    context.migrate(plan);
  }

  const double pace_, keep_;
  const SiteChooser chooser_;
  const bool moves_, pieces_;
  Alarm alarm_;
  std::vector<AccessSample> samples_{};
  mutable std::mutex mutex_;  // objects appear on any thread
  SiteProfile profile_;
  std::map<SiteId, TierId> side_table_;
  DecisionTimes decisions_;
  std::size_t enforced_ = 0, most_sites_ = 0;
};

}  // namespace

std::unique_ptr<Policy> make_sicm(const PolicyOptions& options) { return std::make_unique<Sicm>(options); }

}  // namespace lbhm::policies
