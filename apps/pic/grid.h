// How the periodic domain is cut into boxes, as AMReX cuts it.
#pragma once

#include <array>
#include <cstddef>

namespace pic {

/// Layers of cells around a box that belong to its neighbours. A particle that leaves its box moves by less than a cell
/// before it changes hands, and deposits at most two points outside.
inline constexpr int guards = 2;

/// A rectangle of the domain: cells [begin, begin + cells) in x (0) and y (1).
struct Extent {
  /// -1, 0 or 1: below, in or above this box in one direction.
  int side(std::size_t axis, double position) const {
    if (position < begin[axis]) return -1;
    return position >= begin[axis] + cells[axis] ? 1 : 0;
  }

  std::array<int, 2> begin;
  std::array<int, 2> cells;
};

/// The eight neighbours of a box; direction d and direction 7 - d are opposite.
inline constexpr std::size_t directions = 8;
inline constexpr std::array<std::array<int, 2>, directions> offsets{
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
constexpr std::size_t opposite(std::size_t direction) { return directions - 1 - direction; }
/// The direction with the offset (dx, dy), each -1, 0 or 1 and not both 0.
constexpr std::size_t direction_of(int dx, int dy) {
  const int number = 3 * (dy + 1) + dx + 1;
  return static_cast<std::size_t>(number > 4 ? number - 1 : number);
}

/// The domain and its boxes, which are numbered row by row.
class Grid {
 public:
  /// `count` boxes in each direction, as equal as they can be; no box has fewer than `guards` cells in a direction.
  Grid(std::array<int, 2> cells, std::array<int, 2> count) : cells_(cells), count_(count) {}

  const std::array<int, 2>& cells() const { return cells_; }
  std::size_t boxes() const;
  Extent extent(std::size_t box) const;
  /// May be the box itself: the domain is periodic.
  std::size_t neighbour(std::size_t box, std::size_t direction) const;
  /// The box that holds a cell.
  std::size_t box_of(int x, int y) const;

 private:
  int boundary(std::size_t axis, int number) const {
    return static_cast<int>(long{cells_[axis]} * number / count_[axis]);
  }

  std::array<int, 2> cells_;
  std::array<int, 2> count_;
};

}  // namespace pic
