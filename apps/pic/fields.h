// The fields of one box on Yee's staggered grid.
// Source: K. Yee, "Numerical solution of initial boundary value problems involving Maxwell's equations in isotropic
// media", IEEE Trans. Antennas Propag. 14(3), 1966.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "apps/common/memory.h"
#include "apps/pic/grid.h"

namespace pic {

/// In units of cells from the lower corner of cell (i, j): Ex, Jx and By lie at (i + 1/2, j), Ey, Jy and Bx at
/// (i, j + 1/2), Ez and Jz at (i, j), Bz at (i + 1/2, j + 1/2).
enum Component : std::size_t { Ex, Ey, Ez, Bx, By, Bz, Jx, Jy, Jz };
inline constexpr std::size_t components = 9;

struct Fields {
  Fields(const std::string& name, const Extent& extent);

  /// Where cell (x, y), counted from the box's first one, has its value; from -guards to cells + guards.
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y + guards) * stride + static_cast<std::size_t>(x + guards);
  }
  double* operator[](Component c) const { return arrays[c].data(); }

  std::size_t stride;  ///< from a row to the next
  std::array<apps::Array<double>, components> arrays;
};

}  // namespace pic
