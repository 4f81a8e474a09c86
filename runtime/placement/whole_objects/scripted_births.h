// Where the objects of a run appear that a placement of whole objects knows (setting placement, docs/h2m.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

class ScriptedBirths {
 public:
  explicit ScriptedBirths(const PlacementScript& script) {
    for (const auto& [number, object] : script.objects) numbers_.emplace(std::pair(object.site, object.nth), number);
    for (const ScriptedRun& run : script.births) {
      const Bytes all = script.objects.at(run.object).bytes;
      births_.emplace(run.object, Birth{.tier = run.tier, .share = script.page * run.pages / all});
    }
  }

  struct Scripted {
    std::uint64_t number = 0;  ///< in the script
    bool further = false;      ///< the script has fewer objects of this site, and this is the last one there
  };
  /// Nothing: the script does not know its site.
  std::optional<Scripted> find(SiteId site, std::uint64_t nth) const {
    const auto after = numbers_.upper_bound({site, nth});
    if (after == numbers_.begin()) return std::nullopt;
    const auto& [key, number] = *std::prev(after);
    if (key.first != site) return std::nullopt;
    return Scripted{.number = number, .further = key.second != nth};
  }
  struct Birth {
    TierId tier;
    double share = 1;  ///< of the object, from its begin; the rest is in the slowest
  };
  /// Nothing: all of it in the slowest.
  std::optional<Birth> birth_of(std::uint64_t number) const {
    const auto found = births_.find(number);
    return found == births_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Where the pages of a new object appear, as far as `birth` says; the rest in `slowest`.
  static MigrationPlan plan_of(const PlacedObject& object, const Birth& birth, Bytes page, TierId slowest) {
    const auto pages = static_cast<std::uint64_t>(std::lround(birth.share * (object.bytes / page)));
    const Bytes part = std::min(page * pages, object.bytes);
    MigrationPlan plan;
    if (part.value > 0) plan.moves.push_back({object.address, part, birth.tier});
    if (part < object.bytes) plan.moves.push_back({object.address + part.value, object.bytes - part, slowest});
    return plan;
  }

 private:
  std::map<std::pair<SiteId, std::uint64_t>, std::uint64_t> numbers_;  // by site and nth
  std::map<std::uint64_t, Birth> births_;                              // by number
};

}  // namespace lbhm::placement
