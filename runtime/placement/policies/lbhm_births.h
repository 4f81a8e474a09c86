// Where objects begin under lbhm if a placement is at hand (lbhm run --profile).
#pragma once

#include <cstdint>
#include <string>

#include "runtime/placement/placement.h"
#include "runtime/placement/whole_objects/scripted_births.h"

namespace lbhm::policies {

class LbhmBirths {
 public:
  explicit LbhmBirths(const PlacementScript& script)
      : births_(script), slowest_(script.unmanaged), page_(script.page) {}

  /// Nothing for objects that the placement does not know: they begin as without it.
  MigrationPlan birth_of(const NewObject& fresh) {
    const auto known = births_.find(fresh.site, fresh.nth);
    ++(known ? known_ : unknown_);
    if (!known) return {};
    const auto birth = births_.birth_of(known->number).value_or(placement::ScriptedBirths::Birth{slowest_});
    return placement::ScriptedBirths::plan_of(fresh.object, birth, page_, slowest_);
  }

  std::string remark() const {
    return "policy lbhm: " + std::to_string(known_) + " objects began where LBHM_PLACEMENT has them, and " +
           std::to_string(unknown_) + " that it does not know as without it; then it went on by what it learnt";
  }

 private:
  placement::ScriptedBirths births_;
  TierId slowest_;
  Bytes page_;
  std::uint64_t known_ = 0, unknown_ = 0;  ///< objects
};

}  // namespace lbhm::policies
