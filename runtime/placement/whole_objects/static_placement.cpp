#include "runtime/placement/whole_objects/static_placement.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace lbhm::placement {
namespace {

using Fast = std::map<std::uintptr_t, Bytes>;

Bytes whole_pages(Bytes bytes, Bytes page) { return Bytes((bytes.value + page.value - 1) / page.value * page.value); }

Bytes sum_of(std::span<const RankedObject> objects) {
  Bytes sum;
  for (const RankedObject& object : objects) sum += object.bytes;
  return sum;
}

/// Calls `take` with each run of neighbours that `alike` joins.
template <class Alike, class Take>
void for_runs(std::span<const RankedObject> objects, Alike alike, Take take) {
  for (std::size_t begin = 0, end = 0; begin < objects.size(); begin = end) {
    while (end < objects.size() && alike(objects[begin], objects[end])) ++end;
    take(objects.subspan(begin, end - begin));
  }
}

void take_units(std::span<const RankedObject> objects, Bytes left, Fast& fast) {
  const auto one_unit = [](const RankedObject& a, const RankedObject& b) {
    return a.rank == b.rank && a.unit == b.unit;
  };
  for_runs(objects, one_unit, [&](std::span<const RankedObject> unit) {
    if (sum_of(unit) > left) return;
    left -= sum_of(unit);
    for (const RankedObject& object : unit) fast[object.address] = object.bytes;
  });
}

void take_in_order(std::span<const RankedObject> objects, Bytes left, Fast& fast) {
  for (const RankedObject& object : objects) {
    const Bytes given = std::min(left, object.bytes);
    left -= given;
    if (given.value > 0) fast[object.address] = given;
  }
}

void take_evenly(std::span<const RankedObject> objects, Bytes left, Bytes page, Fast& fast) {
  const auto one_rank = [](const RankedObject& a, const RankedObject& b) { return a.rank == b.rank; };
  for_runs(objects, one_rank, [&](std::span<const RankedObject> rank) {
    const double share = std::min(1.0, left / std::max(sum_of(rank), Bytes(1)));
    for (const RankedObject& object : rank) {
      const auto pages = static_cast<std::uint64_t>(share * static_cast<double>(object.bytes.value / page.value));
      if (pages > 0) fast[object.address] = page * pages;
      left -= page * pages;
    }
    if (share < 1) left = Bytes(0);
  });
}

/// In whole pages; objects of one rank keep their order.
std::vector<RankedObject> by_rank(std::span<const RankedObject> objects, Bytes page) {
  std::multimap<std::uint64_t, RankedObject> sorted;
  for (RankedObject object : objects) {
    object.bytes = whole_pages(object.bytes, page);
    sorted.emplace(object.rank, std::move(object));
  }
  const auto values = sorted | std::views::values;
  return {values.begin(), values.end()};
}

Fast take(std::span<const RankedObject> objects, Bytes left, Bytes page, Border border) {
  Fast fast;
  switch (border) {
    case Border::whole_units:
      take_units(objects, left, fast);
      break;
    case Border::in_order:
      take_in_order(objects, left, fast);
      break;
    case Border::evenly:
      take_evenly(objects, left, page, fast);
      break;
  }
  return fast;
}

/// What did not fit; of an object of which a part did, the end.
std::vector<RankedObject> rest_of(std::span<const RankedObject> objects, const Fast& fast) {
  std::vector<RankedObject> rest;
  for (RankedObject object : objects) {
    const auto given = fast.find(object.address);
    const Bytes bytes = given == fast.end() ? Bytes(0) : given->second;
    object.address += bytes.value;
    object.bytes -= bytes;
    if (object.bytes.value > 0) rest.push_back(std::move(object));
  }
  return rest;
}

}  // namespace

MigrationPlan StaticPlacement::place(std::span<const RankedObject> unsorted, const Topology& machine, Border border,
                                     double headroom) {
  const Bytes page = machine.page;
  const TierId slowest(static_cast<std::uint8_t>(machine.tiers.size() - 1));
  std::vector<RankedObject> objects = by_rank(unsorted, page);
  std::vector<Fast> given(slowest.value);
  given_.resize(slowest.value);
  MigrationPlan leave, come;
  for (TierId tier; tier < slowest; ++tier.value) {
    const double usable = static_cast<double>(machine.tiers[tier.value].capacity.value) / headroom;
    const Bytes left(static_cast<std::uint64_t>(usable) / page.value * page.value);
    Fast& now = given[tier.value];
    now = take(objects, left, page, border);
    for (const auto& [address, bytes] : given_[tier.value]) {
      const auto found = now.find(address);
      const Bytes stays = found == now.end() ? Bytes(0) : found->second;
      if (stays < bytes) leave.moves.push_back({address + stays.value, bytes - stays, slowest});
    }
    for (const RankedObject& object : objects) {
      const auto found = now.find(object.address);
      if (found != now.end()) come.moves.push_back({object.address, found->second, tier});
    }
    objects = rest_of(objects, now);
  }
  given_ = std::move(given);
  std::ranges::move(come.moves, std::back_inserter(leave.moves));
  return leave;
}

}  // namespace lbhm::placement
