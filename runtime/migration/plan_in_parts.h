// A plan that is carried out part by part.
#pragma once

#include <utility>
#include <vector>

#include "runtime/migration/evictor.h"
#include "runtime/migration/migration.h"
#include "runtime/migration/page_units.h"

namespace lbhm {

/// Pages of all parts do not leave for each other, and what one part found out of the candidates the next ones need not
/// look at again.
class PlanInParts {
 public:
  PlanInParts(Machine& machine, const MigrationPlan& whole, std::vector<EvictionCandidate> candidates,
              const MigrationOptions& options)
      : machine_(machine),
        options_(options),
        units_(machine, whole),
        evictor_(machine, whole, std::move(candidates), options, units_) {}
  PlanInParts(const PlanInParts&) = delete;  // evictor_ refers to units_
  PlanInParts& operator=(const PlanInParts&) = delete;

  /// As carry_out of migration.h.
  MoveReport carry_out(const MigrationPlan& part, MigrationPlan* left = nullptr);

 private:
  Machine& machine_;
  const MigrationOptions options_;
  migration::Units units_;
  migration::Evictor evictor_;
};

}  // namespace lbhm
