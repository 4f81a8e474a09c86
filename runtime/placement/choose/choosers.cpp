// First come; the optimum of all units at one time; Algorithm 1.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "runtime/placement/choose/tier_after_tier.h"

namespace lbhm::choose {
namespace {

bool overlap(const Unit& a, const Unit& b) { return a.born < b.dies && b.born < a.dies; }

std::uint64_t capacity_in_pages(const Problem& problem, std::size_t tier) {
  return problem.capacities[tier].value / problem.page.value;
}

/// Pages in use over time, of one tier.
class Occupancy {
 public:
  void add(const Unit& unit, std::uint64_t pages) { held_.push_back({&unit, pages}); }
  /// The most that is in use at one time while `unit` is there. The units that are there then: only births raise it.
  std::uint64_t peak(const Unit& unit) const {
    std::map<double, std::int64_t> changes;
    for (const auto& [other, pages] : held_) {
      if (!overlap(unit, *other)) continue;
      changes[std::max(unit.born, other->born).value] += static_cast<std::int64_t>(pages);
      changes[other->dies.value] -= static_cast<std::int64_t>(pages);
    }
    std::int64_t now = 0, most = 0;
    for (const auto& [time, change] : changes) most = std::max(most, now += change);
    return static_cast<std::uint64_t>(most);
  }
  /// All that is there at some time while `unit` is.
  std::uint64_t overlapping(const Unit& unit) const {
    std::uint64_t sum = 0;
    for (const auto& [other, pages] : held_) sum += overlap(unit, *other) ? pages : 0;
    return sum;
  }

 private:
  std::vector<std::pair<const Unit*, std::uint64_t>> held_;
};

/// Algorithm 1 for one tier. The paper takes what the knapsack gives; but a unit that overlaps `current` may also
/// overlap decided ones that `current` does not, for which the limit has no room: such a unit stays undecided here.
class Recursion {
 public:
  Recursion(const Problem& problem, std::size_t tier, const std::vector<std::size_t>& units, bool& exact)
      : problem_(problem), tier_(tier), capacity_(capacity_in_pages(problem, tier)), remain_(units), exact_(exact) {
    std::ranges::sort(remain_, {}, [&](std::size_t i) {
      return std::pair((problem_.units[i].born - problem_.units[i].dies).value, i);
    });
    for (const Unit& unit : problem.units)
      if (unit.fixed.value == tier) held_.add(unit, pages_of(unit.bytes, problem.page));
  }

  std::vector<std::size_t> run() {
    while (!remain_.empty()) decide(remain_.front());
    return in_fast_;
  }

 private:
  void decide(std::size_t current) {
    const Unit& unit = problem_.units[current];
    std::vector<std::size_t> undecided;  // GETOPTSET: set
    for (const std::size_t i : remain_)
      if (i == current || overlap(unit, problem_.units[i])) undecided.push_back(i);
    const std::uint64_t taken = held_.overlapping(unit);
    const std::uint64_t limit = capacity_ - std::min(capacity_, taken);
    std::set<std::size_t> gone{current};  // in slow, if it is not in the result
    for (const std::size_t i : best_of(problem_, undecided, tier_, limit, exact_)) {
      const std::uint64_t pages = pages_of(problem_.units[i].bytes, problem_.page);
      if (held_.peak(problem_.units[i]) + pages > capacity_) continue;
      held_.add(problem_.units[i], pages);
      in_fast_.push_back(i);
      gone.insert(i);
    }
    std::erase_if(remain_, [&](std::size_t i) { return gone.contains(i); });
  }

  const Problem& problem_;
  const std::size_t tier_;
  const std::uint64_t capacity_;
  std::vector<std::size_t> remain_, in_fast_;
  Occupancy held_;
  bool& exact_;
};

}  // namespace

Choice first_come(const Problem& problem) {
  const std::size_t slowest = problem.capacities.empty() ? 0 : problem.capacities.size() - 1;
  Choice choice{.tiers = std::vector(problem.units.size(), TierId(static_cast<std::uint8_t>(slowest)))};
  std::vector<std::size_t> births(problem.units.size());
  std::iota(births.begin(), births.end(), std::size_t{0});
  std::ranges::sort(births, {}, [&](std::size_t i) { return std::pair(problem.units[i].born, i); });
  std::vector<std::uint64_t> room;
  for (std::size_t tier = 0; tier < slowest; ++tier) room.push_back(capacity_in_pages(problem, tier));
  std::multimap<double, std::pair<std::size_t, std::uint64_t>> deaths;  // of units in these tiers with so many pages
  for (const std::size_t i : births) {
    const Unit& unit = problem.units[i];
    while (!deaths.empty() && deaths.begin()->first <= unit.born.value) {
      const auto [tier, gone] = deaths.begin()->second;
      room[tier] += gone;
      deaths.erase(deaths.begin());
    }
    const std::uint64_t pages = pages_of(unit.bytes, problem.page);
    const auto fits = [pages](std::uint64_t left) { return left >= pages; };
    const std::size_t tier = unit.fixed != no_tier
                                 ? unit.fixed.value
                                 : static_cast<std::size_t>(std::ranges::find_if(room, fits) - room.begin());
    if (tier >= room.size()) continue;  // the slowest
    const std::uint64_t taken = std::min(room[tier], pages);
    room[tier] -= taken;
    choice.tiers[i] = TierId(static_cast<std::uint8_t>(tier));
    deaths.emplace(unit.dies.value, std::pair(tier, taken));
  }
  return choice;
}

Choice optimum(const Problem& problem) {
  return tier_after_tier(problem, [&](std::size_t tier, const std::vector<std::size_t>& left, bool& exact) {
    return best_of(problem, left, tier, pages_left(problem, tier), exact);
  });
}

Choice by_lifetimes(const Problem& problem) {
  return tier_after_tier(problem, [&](std::size_t tier, const std::vector<std::size_t>& left, bool& exact) {
    return Recursion(problem, tier, left, exact).run();
  });
}

}  // namespace lbhm::choose
