// Hotset and thermos: the units with the most worth for their bytes, and what becomes of those that do not fit (SICM,
// section 3.2.1). "Value" and "bandwidth" of the paper are `worth` here, "weight" and "capacity" of a site its pages.
#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/placement/choose/tier_after_tier.h"

namespace lbhm::choose {
namespace {

struct Candidate {
  std::size_t unit = 0;
  std::uint64_t pages = 0;
  double worth = 0;
};

/// "[...] sorts sites by their bandwidth per unit capacity". Of equals the first one comes first. Units that gain
/// nothing are left out, as in the knapsack.
std::vector<Candidate> hottest_first(const Problem& problem, const std::vector<std::size_t>& units, std::size_t tier) {
  std::vector<Candidate> sorted;
  for (const std::size_t i : units) {
    const double worth = worth_against_next(problem.units[i], tier);
    if (worth > 0) sorted.push_back({i, pages_of(problem.units[i].bytes, problem.page), worth});
  }
  std::ranges::sort(sorted, [](const Candidate& a, const Candidate& b) {
    const double first = a.worth * static_cast<double>(b.pages), second = b.worth * static_cast<double>(a.pages);
    return first == second ? a.unit < b.unit : first > second;
  });
  return sorted;
}

/// "[...] and selects sites until their aggregate size exceeds a soft capacity limit. For example, if the capacity of
/// the upper tier is C, then hotset stops adding the sorted sites after the total weight is just past C."
std::vector<std::size_t> hotset_of(const std::vector<Candidate>& sorted, std::uint64_t capacity) {
  std::vector<std::size_t> taken;
  std::uint64_t total = 0;
  for (const Candidate& each : sorted) {
    if (total > capacity) break;
    taken.push_back(each.unit);
    total += each.pages;
  }
  return taken;
}

/// What the hottest of `taken` that fill `over` pages are worth together; all of them, if they do not.
double displaced(const std::vector<Candidate>& taken, std::uint64_t over) {
  double worth = 0;
  std::uint64_t pages = 0;
  for (const Candidate& each : taken) {
    if (pages >= over) break;
    pages += each.pages;
    worth += each.worth;
  }
  return worth;
}

/// "The thermos approach [...] only assigns a site to the upper tier if the bandwidth (value) the site contributes is
/// greater than the aggregate value of the hottest site(s) it may displace. In this way, thermos avoids crowding out
/// performance-critical data, while still allowing large-capacity, high-bandwidth sites to place a portion of their
/// data in the upper-level memory." A site that fits displaces none. Which it may displace the paper does not say: as
/// in SICM's own tool, as many of the hottest chosen ones as fill what it is over the capacity.
std::vector<std::size_t> thermos_of(const std::vector<Candidate>& sorted, std::uint64_t capacity) {
  std::vector<Candidate> taken;
  std::uint64_t total = 0;
  for (const Candidate& each : sorted) {
    const std::uint64_t with = total + each.pages;
    if (with > capacity && each.worth <= displaced(taken, with - capacity)) continue;
    taken.push_back(each);
    total = with;
  }
  std::vector<std::size_t> units;
  for (const Candidate& each : taken) units.push_back(each.unit);
  return units;
}

template <class Take>
Choice hottest(const Problem& problem, Take take) {
  return tier_after_tier(problem, [&](std::size_t tier, const std::vector<std::size_t>& left, bool&) {
    const std::uint64_t room = pages_left(problem, tier);
    return room == 0 ? std::vector<std::size_t>{} : take(hottest_first(problem, left, tier), room);
  });
}

}  // namespace

Choice hotset(const Problem& problem) { return hottest(problem, hotset_of); }

Choice thermos(const Problem& problem) { return hottest(problem, thermos_of); }

}  // namespace lbhm::choose
