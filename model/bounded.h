// What keeps NaN and infinity inside this room: measurements can be missing, zero or absurd.
#pragma once

#include <algorithm>
#include <cmath>

namespace lbhm::model {

/// No quantity of this room is larger: in nanoseconds it is 31 years, and sums and products of a few stay finite.
inline constexpr double largest = 1e18;

/// x as an amount, 0 to `largest`; 0 if it is not a number or negative.
inline double amount(double x) { return x > 0 ? std::min(x, largest) : 0; }

/// x as a share, 0 to 1; 0 if it is not a number.
inline double share(double x) { return x > 0 ? std::min(x, 1.0) : 0; }

/// x as a factor between two memories or two inputs; 1, "no difference", if it is not a positive number.
inline double factor(double x) { return x > 0 && std::isfinite(x) ? std::clamp(x, 1 / largest, largest) : 1; }

}  // namespace lbhm::model
