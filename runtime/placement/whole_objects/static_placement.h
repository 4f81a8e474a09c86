// Whole objects in the fast memory in the order of a rank, and there they stay: what object-level placements do once
// they know the ranks (policies soar, sparta, warpx-pm). What does not fit is placed in the next tier by the same rule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// An object that may have fast memory; the smallest rank first.
struct RankedObject {
  std::uintptr_t address = 0;
  Bytes bytes;
  std::uint64_t rank = 0;
  std::string unit;  ///< objects of one unit are one data structure
};

/// What happens where the fast memory ends.
enum class Border : std::uint8_t {
  whole_units,  ///< a unit that does not fit gets nothing, a smaller one after it may fit
  in_order,     ///< the object that does not fit gets what is left, the ones after it nothing
  evenly,       ///< all objects of the rank that does not fit get the same share of their pages
};

class StaticPlacement {
 public:
  /// The plan that gives `objects` their places in 1 / `headroom` of each tier but the slowest. What an earlier call
  /// gave to objects that get less of a tier now goes to the slowest first.
  MigrationPlan place(std::span<const RankedObject> objects, const Topology& machine, Border border,
                      double headroom = 1);
  /// For the report, of the policy with this name: that it had nothing to place, if that is so.
  std::vector<std::string> remarks(std::string_view policy) const {
    if (!given_.empty()) return {};
    return {"policy " + std::string(policy) + " placed nothing: it places what LB_HM_config names, once it knows its " +
            "rank, and the program never came that far (docs/policies.md)"};
  }

 private:
  std::vector<std::map<std::uintptr_t, Bytes>> given_;  ///< by tier: parts of objects that are there, by address
};

// Placements by the names of objects, for the programs that a policy was made for.

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
