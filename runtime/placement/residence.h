// Where managed pages are.
#pragma once

#include <span>

#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/placement.h"

namespace lbhm {

/// Asks the machine for every page of the migratable objects of `managed` (by address).
PagePlacement page_placement_of(Machine& machine, std::span<const Object> managed);

/// Room for managed objects in tier 0: what is free, and what they hold already.
Bytes managed_room(Machine& machine, const PagePlacement& placement);

}  // namespace lbhm
