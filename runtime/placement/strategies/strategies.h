// The strategies that others are made of.
#pragma once

#include "runtime/placement/allocation_strategy.h"

namespace lbhm::strategies {

std::unique_ptr<AllocationStrategy> make_traits();

/// The program says something of it that a strategy can go by.
inline bool described(const Object& object) {
  return object.sensitivity != Sensitivity::none || object.group || object.pattern;
}

}  // namespace lbhm::strategies
