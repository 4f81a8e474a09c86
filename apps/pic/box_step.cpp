#include "apps/pic/box_step.h"

#include <algorithm>
#include <cmath>

namespace pic {
namespace {

struct Vector {
  double x, y, z;
};

Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vector add(const Vector& a, const Vector& b, double factor) {
  return {a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}
double gamma_of(const Vector& u) { return std::sqrt(1 + u.x * u.x + u.y * u.y + u.z * u.z); }

/// Half the electric kick, Boris' rotation about B, the other half. `kick` is q dt / 2m.
Vector boris(const Vector& u, const Vector& e, const Vector& b, double kick) {
  const Vector minus = add(u, e, kick);
  const double t = kick / gamma_of(minus);
  const double s = 2 * t / (1 + t * t * (b.x * b.x + b.y * b.y + b.z * b.z));
  const Vector prime = add(minus, cross(minus, b), t);
  return add(add(minus, cross(prime, b), s), e, kick);
}

struct Currents {
  double* jx;
  double* jy;
  double* jz;
  std::size_t row;
};

/// Esirkepov's W (his Eq. 38 in two dimensions) of one particle, whose old and new form factors are given on the same
/// 3 x 3 points from `at` on. A unit of W in x moves the charge `charge` over a cell in a step.
void add_currents(const Currents& j, std::size_t at, const Shape& x0, const Shape& y0, const Shape& x1, const Shape& y1,
                  double charge, double out_of_plane) {
  double along_y[3]{};
  for (std::size_t b = 0; b < 3; ++b) {
    const double dy = y1.s[b] - y0.s[b];
    const double mean_y = y0.s[b] + dy / 2;
    const std::size_t line = at + b * j.row;
    double along_x = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double dx = x1.s[a] - x0.s[a];
      if (a < 2) {
        along_x -= charge * dx * mean_y;
        j.jx[line + a] += along_x;
      }
      if (b < 2) {
        along_y[a] -= charge * dy * (x0.s[a] + dx / 2);
        j.jy[line + a] += along_y[a];
      }
      j.jz[line + a] += out_of_plane * (x0.s[a] * mean_y + dx * (y0.s[b] / 2 + dy / 3));
    }
  }
}

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

void push(Box& box, double h, double dt) {
  const Fields& f = box.fields;
  const double *const ex = f[Ex], *const ey = f[Ey], *const ez = f[Ez];
  const double *const bx = f[Bx], *const by = f[By], *const bz = f[Bz];
  const Particles& p = box.particles;
  double *const px = p[X], *const py = p[Y];
  double *const pux = p[Ux], *const puy = p[Uy], *const puz = p[Uz];
  const std::size_t row = f.stride;
  const double kick = -dt / 2;
  const double step = dt / h;
  const Extent extent = box.extent;
  std::array<std::size_t, directions> leaving{};
  for (std::size_t i = 0; i < p.count(); ++i) {
    const double gx = px[i] - extent.begin[0] + guards;
    const double gy = py[i] - extent.begin[1] + guards;
    const auto column = static_cast<std::size_t>(gx);
    const auto line = static_cast<std::size_t>(gy);
    const double fx = gx - static_cast<double>(column);
    const double fy = gy - static_cast<double>(line);
    const std::size_t at = line * row + column;
    const Vector e{
        (1 - fy) * ex[at] + fy * ex[at + row], (1 - fx) * ey[at] + fx * ey[at + 1],
        (1 - fy) * ((1 - fx) * ez[at] + fx * ez[at + 1]) + fy * ((1 - fx) * ez[at + row] + fx * ez[at + row + 1])};
    const Vector b{(1 - fx) * bx[at] + fx * bx[at + 1], (1 - fy) * by[at] + fy * by[at + row], bz[at]};
    const Vector u = boris({pux[i], puy[i], puz[i]}, e, b, kick);
    const double per_gamma = step / gamma_of(u);
    pux[i] = u.x;
    puy[i] = u.y;
    puz[i] = u.z;
    px[i] += u.x * per_gamma;
    py[i] += u.y * per_gamma;
    const int dx = extent.side(0, px[i]);
    const int dy = extent.side(1, py[i]);
    if (dx != 0 || dy != 0) ++leaving[direction_of(dx, dy)];
  }
  box.outbox.leaving = leaving;
}

void deposit(Box& box, double h, double dt) {
  for (const Component c : {Jx, Jy, Jz}) std::ranges::fill(box.fields.arrays[c], 0.0);
  const Currents j{box.fields[Jx], box.fields[Jy], box.fields[Jz], box.fields.stride};
  const Particles& p = box.particles;
  const double* const px = p[X];
  const double* const py = p[Y];
  const double* const pux = p[Ux];
  const double* const puy = p[Uy];
  const double* const puz = p[Uz];
  const double* const pw = p[Weight];
  const double step = dt / h;
  const Extent extent = box.extent;
  for (std::size_t i = 0; i < p.count(); ++i) {
    const double per_gamma = 1 / std::sqrt(1 + pux[i] * pux[i] + puy[i] * puy[i] + puz[i] * puz[i]);
    const double x1 = px[i] - extent.begin[0] + guards;
    const double y1 = py[i] - extent.begin[1] + guards;
    const double x0 = x1 - pux[i] * per_gamma * step;
    const double y0 = y1 - puy[i] * per_gamma * step;
    const auto column = static_cast<std::size_t>(std::min(x0, x1));
    const auto line = static_cast<std::size_t>(std::min(y0, y1));
    const auto left = static_cast<double>(column);
    const auto lower = static_cast<double>(line);
    const double charge = -pw[i];
    add_currents(j, line * j.row + column, Shape(x0 - left), Shape(y0 - lower), Shape(x1 - left), Shape(y1 - lower),
                 charge / (h * dt), charge * puz[i] * per_gamma / (h * h));
  }
}

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

void fill_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list) {
  from_neighbours(plasma, number, list, guard_range, [](double& to, double from) { to = from; });
}

void add_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list) {
  from_neighbours(plasma, number, list, border_range, [](double& to, double from) { to += from; });
}

}  // namespace pic
