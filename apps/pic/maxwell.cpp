#include "apps/pic/maxwell.h"

namespace pic {

void advance_b(Box& box, double courant) {
  const Fields& f = box.fields;
  const double* const ex = f[Ex];
  const double* const ey = f[Ey];
  const double* const ez = f[Ez];
  double* const bx = f[Bx];
  double* const by = f[By];
  double* const bz = f[Bz];
  const std::size_t row = f.stride;
  const double half = courant / 2;
  for (int y = 0; y < box.extent.cells[1]; ++y) {
    const std::size_t first = f.index(0, y);
    const std::size_t last = f.index(box.extent.cells[0], y);
    for (std::size_t i = first; i < last; ++i) bx[i] -= half * (ez[i + row] - ez[i]);
    for (std::size_t i = first; i < last; ++i) by[i] += half * (ez[i + 1] - ez[i]);
    for (std::size_t i = first; i < last; ++i) bz[i] += half * (ex[i + row] - ex[i] - ey[i + 1] + ey[i]);
  }
}

void advance_e(Box& box, double courant, double dt) {
  const Fields& f = box.fields;
  double* const ex = f[Ex];
  double* const ey = f[Ey];
  double* const ez = f[Ez];
  const double* const bx = f[Bx];
  const double* const by = f[By];
  const double* const bz = f[Bz];
  const double* const jx = f[Jx];
  const double* const jy = f[Jy];
  const double* const jz = f[Jz];
  const std::size_t row = f.stride;
  for (int y = 0; y < box.extent.cells[1]; ++y) {
    const std::size_t first = f.index(0, y);
    const std::size_t last = f.index(box.extent.cells[0], y);
    for (std::size_t i = first; i < last; ++i) ex[i] += courant * (bz[i] - bz[i - row]) - dt * jx[i];
    for (std::size_t i = first; i < last; ++i) ey[i] -= courant * (bz[i] - bz[i - 1]) + dt * jy[i];
    for (std::size_t i = first; i < last; ++i) {
      ez[i] += courant * (by[i] - by[i - 1] - bx[i] + bx[i - row]) - dt * jz[i];
    }
  }
}

}  // namespace pic
