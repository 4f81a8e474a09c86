// Placements by the names of objects, for the programs that a policy was made for.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/placement/static_placement.h"

namespace lbhm::placement {

/// "HtA" of "HtA[3].slots", "x" of "box[2].x" for the last part.
inline std::string_view first_part(std::string_view name) { return name.substr(0, name.find_first_of("[.")); }
inline std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// A role that objects have by their name, and its rank.
using NameRank = std::pair<std::string_view, std::uint64_t>;

template <class Table>
std::optional<std::uint64_t> rank_of(std::string_view part, const Table& table) {
  const auto entry = std::ranges::find(table, part, &NameRank::first);
  return entry == table.end() ? std::nullopt : std::optional(entry->second);
}

/// The objects of a phase that `rank` knows. Where it knows none the program is another one: all of them then, in the
/// order of the call, as first touch would have it.
template <class Rank>
std::vector<RankedObject> ranked(std::span<const PlacedObject> objects, Rank rank) {
  std::vector<RankedObject> known, all;
  for (const PlacedObject& object : objects) {
    all.push_back({object.address, object.bytes, all.size(), std::string(object.name)});
    if (const auto found = rank(object.name)) {
      known.push_back(
          {object.address, object.bytes, *found, std::string(object.name.substr(0, object.name.find('.')))});
    }
  }
  return known.empty() ? all : known;
}

}  // namespace lbhm::placement
