#include "runtime/placement/site_guidance.h"

#include <algorithm>
#include <numeric>

namespace lbhm::placement {
namespace {

TierId tier_at(std::size_t number) { return TierId(static_cast<std::uint8_t>(number)); }

/// Sites without reads stay where no recommended one needs their room.
void let_idle_sites_stay(std::span<const SiteState> sites, std::span<const Bytes> rooms, Bytes page,
                         std::vector<TierId>& tiers) {
  std::vector<std::uint64_t> left;
  for (const Bytes room : rooms) left.push_back(room.value / page.value);
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (sites[i].reads.value > 0) left[tiers[i].value] -= std::min(left[tiers[i].value], sites[i].resident());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].reads.value > 0) continue;
    bool fits = true;
    for (std::size_t tier = 0; tier + 1 < left.size(); ++tier) fits = fits && sites[i].pages[tier] <= left[tier];
    if (!fits) continue;
    for (std::size_t tier = 0; tier + 1 < left.size(); ++tier) left[tier] -= sites[i].pages[tier];
    tiers[i] = no_tier;
  }
}

/// Moves pages of a site from one tier to another until there is no room left.
class Mover {
 public:
  Mover(std::vector<Bytes> free, Bytes page) : free_(std::move(free)), page_(page) {}

  void move(const SiteState& site, std::size_t from, TierId to) {
    const bool slowest = to.value + 1u == free_.size();
    SitePart part{.now = tier_at(from), .recommended = to, .reads = {}};
    for (const PageRange& range : site.lies[from]) {
      const Bytes fits = slowest ? range.bytes : Bytes(free_[to.value].value / page_.value * page_.value);
      const Bytes bytes = std::min(range.bytes, fits);
      if (bytes.value == 0) break;
      moves_.plan.moves.push_back({range.address, bytes, to});
      part.pages += bytes.value / page_.value;
      free_[from] += bytes;
      free_[to.value] -= std::min(free_[to.value], bytes);
    }
    if (part.pages == 0) return;
    part.reads = site.reads * (static_cast<double>(part.pages) / static_cast<double>(site.resident()));
    moves_.parts.push_back(part);
  }
  SiteMoves take() { return std::move(moves_); }

 private:
  std::vector<Bytes> free_;
  const Bytes page_;
  SiteMoves moves_;
};

}  // namespace

std::vector<TierId> recommend(std::span<const SiteState> sites, std::span<const Bytes> rooms, const SkiPrices& prices,
                              Bytes page, SiteChooser chooser) {
  choose::Problem problem{.units = {}, .capacities = {rooms.begin(), rooms.end()}, .page = page};
  for (const SiteState& site : sites) {
    problem.units.push_back({.bytes = page * site.resident(), .worth = {}, .born = {}, .dies = Nanoseconds(1)});
    for (const Nanoseconds read : prices.read)
      problem.units.back().worth.push_back((prices.read.back() - read) * site.reads.value);
  }
  std::vector<TierId> tiers = chooser(problem).tiers;
  let_idle_sites_stay(sites, rooms, page, tiers);
  return tiers;
}

SiteMoves moves_to(std::span<const SiteState> sites, std::span<const TierId> recommended, std::vector<Bytes> free,
                   Bytes page) {
  const std::size_t tiers = free.size();
  Mover mover(std::move(free), page);
  std::vector<std::size_t> coldest_first(sites.size());
  std::iota(coldest_first.begin(), coldest_first.end(), std::size_t{0});
  std::ranges::sort(coldest_first, {}, [&](std::size_t i) {
    return std::pair(sites[i].reads.value / static_cast<double>(std::max<std::uint64_t>(1, sites[i].resident())), i);
  });
  for (std::size_t to = tiers; to-- > 1;)
    for (const std::size_t i : coldest_first)
      for (std::size_t from = 0; from < to; ++from)
        if (recommended[i].value == to) mover.move(sites[i], from, tier_at(to));
  for (std::size_t to = 0; to + 1 < tiers; ++to)
    for (auto i = coldest_first.rbegin(); i != coldest_first.rend(); ++i)
      for (std::size_t from = to + 1; from < tiers; ++from)
        if (recommended[*i].value == to) mover.move(sites[*i], from, tier_at(to));
  return mover.take();
}

}  // namespace lbhm::placement
