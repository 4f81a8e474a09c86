// The strategies that others are made of.
#pragma once

#include "runtime/placement/allocation_strategy.h"

namespace lbhm::strategies {

std::unique_ptr<AllocationStrategy> make_traits();

}  // namespace lbhm::strategies
