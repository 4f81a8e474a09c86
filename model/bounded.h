// What keeps NaN and infinity inside this room, where measurements can be missing, zero or absurd, and how the counts
// of a task are walked over.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "model/model.h"
#include "runtime/base/values.h"

namespace lbhm::model {

/// No quantity of this room is larger: in nanoseconds it is 31 years, and sums and products of a few stay finite.
inline constexpr double largest = 1e18;

/// x as an amount, 0 to `largest`; 0 if it is not a number or negative.
inline double amount(double x) { return x > 0 ? std::min(x, largest) : 0; }

/// x as a share, 0 to 1; 0 if it is not a number.
inline double share(double x) { return x > 0 ? std::min(x, 1.0) : 0; }

/// x as a factor between two memories or two inputs; 1, "no difference", if it is not a positive number.
inline double factor(double x) { return x > 0 && std::isfinite(x) ? std::clamp(x, 1 / largest, largest) : 1; }

/// Behind the last count of the object that counts[begin] belongs to. Counts are sorted by slot.
inline std::size_t slot_end(std::span<const PageCount> counts, std::size_t begin) {
  const ObjectSlot slot = counts[begin].slot;
  const auto rest = counts.subspan(begin);
  const auto end = std::partition_point(rest.begin(), rest.end(), [&](const PageCount& c) { return c.slot <= slot; });
  return begin + static_cast<std::size_t>(end - rest.begin());
}

inline double at(std::span<const double> values, std::size_t i) {
  return i < values.size() ? model::amount(values[i]) : 0;
}
inline Bytes at(std::span<const Bytes> values, std::size_t i) { return i < values.size() ? values[i] : Bytes(0); }

}  // namespace lbhm::model
