#include "apps/pic/sort.h"

#include <algorithm>
#include <numeric>

namespace pic {
namespace {

std::size_t cell_of(const Box& box, std::size_t i) {
  const Extent& extent = box.extent;
  // Rounding may put a position just below the border onto it.
  const auto column = std::min(static_cast<int>(box.particles[X][i] - extent.begin[0]), extent.cells[0] - 1);
  const auto line = std::min(static_cast<int>(box.particles[Y][i] - extent.begin[1]), extent.cells[1] - 1);
  return static_cast<std::size_t>(line) * static_cast<std::size_t>(extent.cells[0]) + static_cast<std::size_t>(column);
}

}  // namespace

void sort_by_cell(Box& box) {
  const std::size_t count = box.particles.count();
  const auto cells = static_cast<std::size_t>(box.extent.cells[0]) * static_cast<std::size_t>(box.extent.cells[1]);
  std::vector<std::uint32_t> next(cells + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++next[cell_of(box, i) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::uint32_t* const places = box.sort_space->places.data();
  for (std::size_t i = 0; i < count; ++i) places[next[cell_of(box, i)]++] = static_cast<std::uint32_t>(i);

  double* const scratch = box.sort_space->scratch.data();
  for (const apps::Array<double>& array : box.particles.arrays()) {
    double* const values = array.data();
    for (std::size_t i = 0; i < count; ++i) scratch[i] = values[places[i]];
    std::copy_n(scratch, count, values);
  }
}

}  // namespace pic
