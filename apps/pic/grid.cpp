#include "apps/pic/grid.h"

namespace pic {

std::size_t Grid::boxes() const { return static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]); }

Extent Grid::extent(std::size_t box) const {
  const int column = static_cast<int>(box) % count_[0];
  const int row = static_cast<int>(box) / count_[0];
  const int x = boundary(0, column);
  const int y = boundary(1, row);
  return {{x, y}, {boundary(0, column + 1) - x, boundary(1, row + 1) - y}};
}

std::size_t Grid::neighbour(std::size_t box, std::size_t direction) const {
  const int column = static_cast<int>(box) % count_[0] + offsets[direction][0];
  const int row = static_cast<int>(box) / count_[0] + offsets[direction][1];
  const int x = (column + count_[0]) % count_[0];
  const int y = (row + count_[1]) % count_[1];
  return static_cast<std::size_t>(y * count_[0] + x);
}

std::size_t Grid::box_of(int x, int y) const {
  // The last boundary that is not behind the cell: the inverse of boundary(), which rounds down.
  const auto part = [&](std::size_t axis, int cell) {
    return static_cast<int>((long{cell + 1} * count_[axis] - 1) / cells_[axis]);
  };
  return static_cast<std::size_t>(part(1, y) * count_[0] + part(0, x));
}

}  // namespace pic
