#include "apps/pic/deposit.h"

#include <algorithm>
#include <cmath>

namespace pic {
namespace {

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

}  // namespace

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

}  // namespace pic
