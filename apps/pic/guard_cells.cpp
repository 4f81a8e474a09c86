#include "apps/pic/guard_cells.h"

namespace pic {
namespace {

/// Cells [begin, end) of the box in one direction, and how far away they lie in the neighbour's numbers.
struct Range {
  int begin, end, shift;
};

/// The guard cells at this side of a box: they are the neighbour's own cells.
Range guard_range(int side, int cells, int neighbour_cells) {
  if (side < 0) return {-guards, 0, neighbour_cells};
  if (side > 0) return {cells, cells + guards, -cells};
  return {0, cells, 0};
}

/// The box's own cells at this side: they are guard cells of the neighbour.
Range border_range(int side, int cells, int neighbour_cells) {
  if (side < 0) return {0, guards, neighbour_cells};
  if (side > 0) return {cells - guards, cells, -cells};
  return {0, cells, 0};
}

template <class RangeOf, class Combine>
void from_neighbours(Plasma& plasma, std::size_t number, std::initializer_list<Component> list, RangeOf range_of,
                     Combine combine) {
  Box& box = plasma.boxes[number];
  for (std::size_t d = 0; d < directions; ++d) {
    const Box& other = plasma.boxes[plasma.grid.neighbour(number, d)];
    const Range x = range_of(offsets[d][0], box.extent.cells[0], other.extent.cells[0]);
    const Range y = range_of(offsets[d][1], box.extent.cells[1], other.extent.cells[1]);
    for (const Component c : list) {
      for (int line = y.begin; line < y.end; ++line) {
        double* const to = box.fields[c] + box.fields.index(x.begin, line);
        const double* const from = other.fields[c] + other.fields.index(x.begin + x.shift, line + y.shift);
        for (int i = 0; i < x.end - x.begin; ++i) combine(to[i], from[i]);
      }
    }
  }
}

}  // namespace

void fill_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list) {
  from_neighbours(plasma, number, list, guard_range, [](double& to, double from) { to = from; });
}

void add_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list) {
  from_neighbours(plasma, number, list, border_range, [](double& to, double from) { to += from; });
}

}  // namespace pic
