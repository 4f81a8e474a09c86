// Ratios of counts, none of which need be known.
#pragma once

#include <limits>

namespace lbhm::model {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// factor * part / whole; unknown if one of them was not counted or there is no whole.
inline double ratio(double part, double whole, double factor = 1) {
  return part >= 0 && whole > 0 ? factor * part / whole : unknown;
}

}  // namespace lbhm::model
