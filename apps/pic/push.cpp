#include "apps/pic/push.h"

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

}  // namespace

void push(Box& box, double h, double dt) {
  const Fields& f = box.fields;
  const double* const ex = f[Ex];
  const double* const ey = f[Ey];
  const double* const ez = f[Ez];
  const double* const bx = f[Bx];
  const double* const by = f[By];
  const double* const bz = f[Bz];
  const Particles& p = box.particles;
  double* const px = p[X];
  double* const py = p[Y];
  double* const pux = p[Ux];
  double* const puy = p[Uy];
  double* const puz = p[Uz];
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

}  // namespace pic
