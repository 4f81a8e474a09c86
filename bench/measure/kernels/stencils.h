// Stencils on a grid: every point is the sum of its neighbours, itself included. They read one array and write none, so
// that all memory accesses are accesses to it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace measure {

struct Offset {
  std::ptrdiff_t x, y, z;
};

/// The sides of a grid; 1 in directions that it does not have. x is the fastest one.
struct Sides {
  std::size_t x = 1, y = 1, z = 1;
  std::size_t points() const { return x * y * z; }
};

/// Neighbours up to one step away along the axes (a cross) or in all directions (a box).
enum class Neighbours { cross, box };

template <unsigned Dimensions, Neighbours Kind>
constexpr bool has(Offset offset) {
  const auto steps = (offset.x != 0) + (offset.y != 0) + (offset.z != 0);
  const bool inside = (Dimensions > 1 || offset.y == 0) && (Dimensions > 2 || offset.z == 0);
  return inside && (Kind == Neighbours::box || steps <= 1);
}

template <unsigned Dimensions, Neighbours Kind>
constexpr unsigned count_points() {
  unsigned count = 0;
  for (std::ptrdiff_t i = 0; i < 27; ++i) count += has<Dimensions, Kind>({i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1});
  return count;
}

template <unsigned Dimensions, Neighbours Kind>
struct Stencil {
  static constexpr unsigned dimensions = Dimensions;
  static constexpr unsigned points = count_points<Dimensions, Kind>();

  /// The sum of the stencil over all inner points. The optimiser sees each neighbour as a load of its own.
  template <class Element>
  static double sum(std::span<const Element> grid, const Sides& sides) {
    constexpr std::size_t edge_y = Dimensions > 1, edge_z = Dimensions > 2;
    const auto row = static_cast<std::ptrdiff_t>(sides.x), plane = static_cast<std::ptrdiff_t>(sides.x * sides.y);
    Element total = 0;
    for (std::size_t z = edge_z; z + edge_z < sides.z; ++z) {
      for (std::size_t y = edge_y; y + edge_y < sides.y; ++y) {
        const Element* at = grid.data() + z * sides.x * sides.y + y * sides.x;
        for (std::size_t x = 1; x + 1 < sides.x; ++x) total += neighbours(at + x, row, plane);
      }
    }
    return static_cast<double>(total);
  }

 private:
  static constexpr std::array<Offset, points> offsets() {
    std::array<Offset, points> found{};
    std::size_t count = 0;
    for (std::ptrdiff_t i = 0; i < 27; ++i) {
      const Offset offset{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
      if (has<Dimensions, Kind>(offset)) found[count++] = offset;
    }
    return found;
  }

  template <class Element>
  static Element neighbours(const Element* at, std::ptrdiff_t row, std::ptrdiff_t plane) {
    constexpr auto all = offsets();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (at[all[I].x + all[I].y * row + all[I].z * plane] + ...);
    }(std::make_index_sequence<points>{});
  }
};

using Line3 = Stencil<1, Neighbours::cross>;
using Cross5 = Stencil<2, Neighbours::cross>;
using Box9 = Stencil<2, Neighbours::box>;
using Cross7 = Stencil<3, Neighbours::cross>;
using Box27 = Stencil<3, Neighbours::box>;

}  // namespace measure
