// Walking over a task's counts object by object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "runtime/base/values.h"

namespace lbhm::model {

/// Behind the last count of the object that counts[begin] belongs to. Counts are sorted by slot.
inline std::size_t slot_end(std::span<const PageCount> counts, std::size_t begin) {
  const ObjectSlot slot = counts[begin].slot;
  const auto rest = counts.subspan(begin);
  const auto end = std::partition_point(rest.begin(), rest.end(), [&](const PageCount& c) { return c.slot <= slot; });
  return begin + static_cast<std::size_t>(end - rest.begin());
}

}  // namespace lbhm::model
