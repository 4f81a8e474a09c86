#include "runtime/placement/sites/site_guidance.h"

#include <algorithm>
#include <numeric>

namespace lbhm::placement {
namespace {

TierId tier_at(std::size_t number) { return TierId(static_cast<std::uint8_t>(number)); }

/// Moves pages of a site from one tier to another while there is room, and `most` of them at most.
class Mover {
 public:
  Mover(std::vector<Bytes> free, Bytes page) : free_(std::move(free)), page_(page) {}

  /// Returns what moved.
  Bytes move(const SiteState& site, std::size_t from, TierId to, Bytes most) {
    const bool slowest = to.value + 1u == free_.size();
    Bytes moved;
    for (const PageRange& range : site.lies[from]) {
      Bytes bytes = std::min(range.bytes, most - moved);
      if (!slowest) bytes = std::min(bytes, free_[to.value]);
      bytes = Bytes(bytes.value / page_.value * page_.value);
      if (bytes.value == 0) break;
      moves_.plan.moves.push_back({range.address, bytes, to});
      moved += bytes;
      free_[from] += bytes;
      free_[to.value] -= std::min(free_[to.value], bytes);
    }
    if (moved.value == 0) return moved;
    const std::uint64_t pages = moved.value / page_.value;
    moves_.parts.push_back({.now = tier_at(from),
                            .recommended = to,
                            .reads = site.reads * (static_cast<double>(pages) / static_cast<double>(site.resident())),
                            .pages = pages});
    return moved;
  }
  SiteMoves take() { return std::move(moves_); }

 private:
  std::vector<Bytes> free_;
  const Bytes page_;
  SiteMoves moves_;
};

/// By tier, what has to leave it so that all that is recommended for it has room.
std::vector<Bytes> lacking(std::span<const SiteState> sites, std::span<const TierId> recommended,
                           std::span<const Bytes> free, Bytes page) {
  std::vector<Bytes> lacking(free.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    Bytes& room = lacking[recommended[i].value];
    room += page * (sites[i].resident() - sites[i].pages[recommended[i].value]);
    for (const PageRange& range : sites[i].untouched) room += range.bytes;  // will appear there
  }
  for (std::size_t tier = 0; tier < free.size(); ++tier) lacking[tier] -= std::min(lacking[tier], free[tier]);
  return lacking;
}

}  // namespace

std::vector<TierId> recommend(std::span<const SiteState> sites, std::span<const Bytes> rooms, const SkiPrices& prices,
                              Bytes page, SiteChooser chooser) {
  choose::Problem problem{.units = {}, .capacities = {rooms.begin(), rooms.end()}, .page = page};
  for (const SiteState& site : sites) {
    problem.units.push_back({.bytes = page * site.resident(), .worth = {}, .born = {}, .dies = Nanoseconds(1)});
    for (const Nanoseconds read : prices.read)
      problem.units.back().worth.push_back((prices.read.back() - read) * site.reads.value);
  }
  return chooser(problem).tiers;
}

SiteMoves moves_to(std::span<const SiteState> sites, std::span<const TierId> recommended, std::vector<Bytes> free,
                   Bytes page) {
  const std::size_t tiers = free.size();
  std::vector<Bytes> lack = lacking(sites, recommended, free, page);
  Mover mover(std::move(free), page);
  std::vector<std::size_t> coldest_first(sites.size());
  std::iota(coldest_first.begin(), coldest_first.end(), std::size_t{0});
  std::ranges::sort(coldest_first, {}, [&](std::size_t i) {
    return std::pair(sites[i].reads.value / static_cast<double>(std::max<std::uint64_t>(1, sites[i].resident())), i);
  });
  for (std::size_t to = tiers; to-- > 1;)
    for (const std::size_t i : coldest_first)
      for (std::size_t from = 0; from < to; ++from)
        if (recommended[i].value == to) lack[from] -= mover.move(sites[i], from, tier_at(to), lack[from]);
  for (std::size_t to = 0; to + 1 < tiers; ++to)
    for (auto i = coldest_first.rbegin(); i != coldest_first.rend(); ++i)
      for (std::size_t from = to + 1; from < tiers; ++from)
        if (recommended[*i].value == to) mover.move(sites[*i], from, tier_at(to), page * sites[*i].resident());
  return mover.take();
}

}  // namespace lbhm::placement
