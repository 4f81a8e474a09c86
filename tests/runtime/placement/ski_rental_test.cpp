// Does ski rental move when the rent exceeds the price, not before, and never pay much more than who knows the future?
#include "runtime/placement/sites/ski_rental.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "runtime/placement/choose/choose.h"
#include "tests/fake/fake_machine.h"
#include "tests/runtime/placement/ski_traces.h"

namespace lbhm::placement {
namespace {

constexpr TierId fast{0}, slow{1};

/// The paper's constants: 300 ns a read, 2 us a page.
const SkiPrices paper{.read = {Nanoseconds(0), Nanoseconds(300)},
                      .page_move = {{Nanoseconds(0), Nanoseconds(2000)}, {Nanoseconds(2000), Nanoseconds(0)}}};

SitePart part(TierId now, TierId recommended, double reads, std::uint64_t pages) {
  return {.now = now, .recommended = recommended, .reads = AccessCount(reads), .pages = pages};
}

TEST(SkiCostsTest, AreThoseOfThePaper) {
  // a = 1000, b = 400, c = 10 + 30; what stays counts nowhere.
  const std::vector<SitePart> parts{part(slow, fast, 1000, 10), part(fast, slow, 400, 30), part(fast, fast, 7777, 99),
                                    part(slow, slow, 8888, 99)};
  const SkiCosts costs = ski_costs(parts, paper);
  EXPECT_EQ(costs.rental, Nanoseconds(600 * 300));
  EXPECT_EQ(costs.purchase, Nanoseconds(40 * 2000));
  EXPECT_TRUE(costs.enforce());
}

TEST(SkiCostsTest, NothingMovesWhileAIsNotMoreThanB) {
  for (const double b : {400., 401., 1e9}) {
    const std::vector<SitePart> parts{part(slow, fast, 400, 0), part(fast, slow, b, 0)};
    EXPECT_EQ(ski_costs(parts, paper).rental, Nanoseconds(0));
    EXPECT_FALSE(ski_costs(parts, paper).enforce()) << "not even for nothing";
  }
}

TEST(SkiCostsTest, EqualCostsAreNotEnough) {
  EXPECT_FALSE(ski_costs(std::vector{part(slow, fast, 200, 30)}, paper).enforce());
  EXPECT_TRUE(ski_costs(std::vector{part(slow, fast, 201, 30)}, paper).enforce());
}

TEST(SkiCostsTest, WithThreeTiersEachMoveCountsForItself) {
  const TierId slowest{2};
  const SkiPrices prices{.read = {Nanoseconds(100), Nanoseconds(150), Nanoseconds(300)},
                         .page_move = {3, std::vector(3, Nanoseconds(1000))}};
  const SkiCosts costs =
      ski_costs(std::vector{part(slowest, fast, 10, 1), part(slowest, slow, 10, 2), part(fast, slow, 10, 4)}, prices);
  EXPECT_EQ(costs.rental, Nanoseconds(10 * 200 + 10 * 150 - 10 * 50));
  EXPECT_EQ(costs.purchase, Nanoseconds(7000));
}

TEST(SkiPricesTest, AreTheMachinesElseThePapers) {
  fake::FakeMachine machine{{10, 100}};
  SkiPrices prices = ski_prices(machine);
  EXPECT_EQ(prices.read[1] - prices.read[0], Nanoseconds(100));
  EXPECT_NEAR(prices.page_move[1][0].value, 4096 / 50.0, 0.1);
  machine.forget_figures();
  prices = ski_prices(machine);
  EXPECT_EQ(prices.read[1] - prices.read[0], Nanoseconds(300));
  EXPECT_EQ(prices.page_move[0][1], Nanoseconds(2000));
  EXPECT_EQ(prices.page_move[1][1], Nanoseconds(0));
}

// Traces: reads of each site in each interval. All sites are in slow memory at first, or fill fast memory in their
// order (first touch).

constexpr double extra = 300, page_price = 2000;

std::uint64_t pages_in(const Trace& trace, unsigned set) {
  std::uint64_t pages = 0;
  for (std::size_t site = 0; site < trace.pages.size(); ++site) pages += set >> site & 1 ? trace.pages[site] : 0;
  return pages;
}

double rent(const Trace& trace, const std::vector<double>& reads, unsigned set) {
  double rent = 0;
  for (std::size_t site = 0; site < trace.pages.size(); ++site) rent += set >> site & 1 ? 0 : reads[site] * extra;
  return rent;
}

double price(const Trace& trace, unsigned from, unsigned to) {
  return static_cast<double>(pages_in(trace, from ^ to)) * page_price;
}

/// Sites in fast memory at first: as they come, while they fit.
unsigned first_touch(const Trace& trace) {
  unsigned set = 0;
  std::uint64_t pages = 0;
  for (std::size_t site = 0; site < trace.pages.size() && pages + trace.pages[site] <= trace.capacity; ++site)
    set |= 1u << site, pages += trace.pages[site];
  return set;
}

/// The sites that are recommended at the end of each interval: those that are worth the most so far and fit.
std::vector<unsigned> recommendations(const Trace& trace) {
  std::vector<unsigned> sets;
  choose::Problem problem{.units = {}, .capacities = {Bytes(4096) * trace.capacity, GiB(1)}};
  for (const std::uint64_t pages : trace.pages)
    problem.units.push_back({.bytes = Bytes(4096) * pages, .worth = {{}, {}}, .born = {}, .dies = Nanoseconds(1)});
  for (const std::vector<double>& reads : trace.reads) {
    sets.push_back(0);
    for (std::size_t site = 0; site < reads.size(); ++site) problem.units[site].worth[0] += Nanoseconds(reads[site]);
    const choose::Choice choice = choose::optimum(problem);
    for (std::size_t site = 0; site < reads.size(); ++site) sets.back() |= choice.tiers[site] == fast ? 1u << site : 0;
  }
  return sets;
}

/// What rents and moves cost at least for who knows all of the trace: it may enforce any of the recommendations before
/// any interval, the first included.
double offline_optimum(const Trace& trace, unsigned first, const std::vector<unsigned>& sets) {
  std::map<unsigned, double> cost{{first, 0}};
  for (const unsigned set : sets) cost.emplace(set, price(trace, first, set));
  for (const std::vector<double>& reads : trace.reads) {
    std::map<unsigned, double> next;
    for (const auto& [to, stayed] : cost) {
      next[to] = stayed;
      for (const auto& [from, paid] : cost) next[to] = std::min(next[to], paid + price(trace, from, to));
      next[to] += rent(trace, reads, to);
    }
    cost = std::move(next);
  }
  return std::ranges::min_element(cost, {}, [](const auto& each) { return each.second; })->second;
}

struct Costs {
  double total = 0, dearest_interval = 0, optimum = 0;
  std::vector<std::size_t> bought;  ///< intervals
};

/// MaybeMigrate at the end of each interval.
Costs guided(const Trace& trace, unsigned set) {
  const std::vector<unsigned> sets = recommendations(trace);
  Costs costs{.optimum = offline_optimum(trace, set, sets), .bought = {}};
  std::vector<double> so_far(trace.pages.size());
  for (std::size_t interval = 0; interval < trace.reads.size(); ++interval) {
    const double paid = rent(trace, trace.reads[interval], set);
    costs.total += paid;
    costs.dearest_interval = std::max(costs.dearest_interval, paid);
    std::vector<SitePart> parts;
    const auto tier = [](unsigned of, std::size_t site) { return of >> site & 1 ? fast : slow; };
    for (std::size_t site = 0; site < so_far.size(); ++site) {
      so_far[site] += trace.reads[interval][site];
      parts.push_back(part(tier(set, site), tier(sets[interval], site), so_far[site], trace.pages[site]));
    }
    if (!ski_costs(parts, paper).enforce()) continue;
    costs.total += price(trace, set, sets[interval]);
    costs.bought.push_back(interval);
    set = sets[interval];
  }
  return costs;
}

TEST(SkiRentalTest, BuysWhenTheRentSoFarExceedsThePrice) {
  // 30 pages cost 60,000 ns; an interval's rent is 24,000.
  const Trace trace{.pages = {30}, .reads = std::vector(9, std::vector{80.0}), .capacity = 30};
  const Costs result = guided(trace, 0);
  EXPECT_EQ(result.bought, std::vector<std::size_t>{2});
  EXPECT_EQ(result.total, 3 * 24'000 + 60'000);
  EXPECT_EQ(result.optimum, 60'000);
}

TEST(SkiRentalTest, WhoEndsSoonNeverBuys) {
  const Trace trace{.pages = {30}, .reads = std::vector(2, std::vector{80.0}), .capacity = 30};
  EXPECT_TRUE(guided(trace, 0).bought.empty());
  EXPECT_EQ(guided(trace, 0).total, guided(trace, 0).optimum);
}

TEST(SkiRentalTest, ASwapIsBoughtOnceAndForBothSites) {
  // The first site is in fast memory and cold; 50 + 50 pages cost 200,000 ns, the rent is 70 * 300 an interval.
  const Trace trace{.pages = {50, 50}, .reads = std::vector(40, std::vector{30.0, 100.0}), .capacity = 50};
  const Costs result = guided(trace, first_touch(trace));
  EXPECT_EQ(result.bought, std::vector<std::size_t>{9}) << "after ten intervals it is 210,000";
}

TEST(SkiRentalTest, StandingRatesCostAtMostTwiceTheOfflineOptimumAndOneInterval) {
  std::mt19937_64 random(11);
  double worst = 0;
  for (int instance = 0; instance < 300; ++instance) {
    Trace trace{.pages = {}, .reads = {}, .capacity = 1 + random() % 200};
    std::vector<double> rates;
    for (std::size_t site = 0; site < 6; ++site) {
      trace.pages.push_back(1 + random() % 60);
      rates.push_back(static_cast<double>(random() % 200));
    }
    for (std::uint64_t left = 1 + random() % 60; left > 0; --left) {
      trace.reads.push_back(rates);
      for (double& reads : trace.reads.back()) reads *= 0.5 + static_cast<double>(random() % 1000) / 1000;
    }
    const Costs costs = guided(trace, first_touch(trace));
    EXPECT_LE(costs.total, 2 * costs.optimum + costs.dearest_interval) << "instance " << instance;
    if (costs.optimum > 0) worst = std::max(worst, (costs.total - costs.dearest_interval) / costs.optimum);
  }
  RecordProperty("ski_rental_worst", std::to_string(worst));
}

TEST(SkiRentalTest, RecordedTracesCostAtMostTwiceTheOfflineOptimumAndOneInterval) {
  double worst = 0;
  for (Trace trace : {sweep_trace, hydro_trace}) {
    for (std::vector<double>& reads : trace.reads)
      for (double& count : reads) count *= 127;
    for (const double part : {1.0, 0.01, 0.001}) {  // rent by rent as dear as the moves
      Trace shorter = trace;
      for (std::vector<double>& reads : shorter.reads)
        for (double& count : reads) count *= part;
      for (const unsigned first : {0u, first_touch(shorter)}) {
        const Costs costs = guided(shorter, first);
        EXPECT_LE(costs.total, 2 * costs.optimum + costs.dearest_interval) << part << ", " << first;
        if (costs.optimum > 0) worst = std::max(worst, (costs.total - costs.dearest_interval) / costs.optimum);
      }
    }
  }
  RecordProperty("ski_rental_worst", std::to_string(worst));
}

}  // namespace
}  // namespace lbhm::placement
