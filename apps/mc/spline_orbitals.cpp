#include "apps/mc/spline_orbitals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mc {

double Random::uniform() {
  std::uint64_t x = state_ += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double Random::normal() {
  const double length = std::sqrt(-2 * std::log(1 - uniform()));
  return length * std::cos(2 * std::numbers::pi * uniform());
}

std::vector<Quanta> lowest_orbitals(int shells) {
  std::vector<Quanta> orbitals;
  for (int sum = 0; sum < shells; ++sum) {
    for (int x = 0; x <= sum; ++x)
      for (int y = 0; y <= sum - x; ++y) orbitals.push_back({{x, y, sum - x - y}});
  }
  return orbitals;
}

double oscillator(int quanta, double x) {
  double before = 0, now = std::pow(std::numbers::pi, -0.25) * std::exp(-x * x / 2);
  for (int n = 0; n < quanta; ++n) {
    const double next = std::sqrt(2.0 / (n + 1)) * x * now - std::sqrt(n / (n + 1.0)) * before;
    before = now;
    now = next;
  }
  return now;
}

// By rejection: no oscillator's density is above 1 / sqrt(pi), and beyond the turning point by 3 it is next to nothing.
double draw_from(int quanta, Random& random) {
  const double reach = std::sqrt(2 * quanta + 1.0) + 3;
  for (;;) {
    const double x = reach * (2 * random.uniform() - 1);
    const double density = oscillator(quanta, x);
    if (random.uniform() * std::numbers::inv_sqrtpi < density * density) return x;
  }
}

namespace {

/// Weights of the four B-splines that are not 0 in an interval, at a part t of it, and their derivatives by t.
struct Weights {
  explicit Weights(double t)
      : value{(1 - t) * (1 - t) * (1 - t) / 6, (3 * t * t * t - 6 * t * t + 4) / 6,
              (-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6, t * t * t / 6},
        first{-(1 - t) * (1 - t) / 2, (3 * t * t - 4 * t) / 2, (-3 * t * t + 2 * t + 1) / 2, t * t / 2},
        second{1 - t, 3 * t - 2, 1 - 3 * t, t} {}
  double value[4], first[4], second[4];
};

/// Coefficients of the spline through the oscillator's values at all points, 0 beyond: (c[i-1] + 4 c[i] + c[i+1]) / 6 =
/// value[i], by elimination.
std::vector<double> coefficients_along(int quanta, int points, double half, double step) {
  const int inner = points - 2;
  std::vector<double> c(points), factor(points);
  for (int i = 1; i <= inner; ++i) {
    factor[i] = 1 / (4 - factor[i - 1]);
    c[i] = (6 * oscillator(quanta, (i - 1) * step - half) - c[i - 1]) * factor[i];
  }
  for (int i = inner - 1; i >= 1; --i) c[i] -= factor[i] * c[i + 1];
  return c;
}

}  // namespace

// Oscillators in space are products of those in one dimension, and so are the coefficients.
SplineTable::SplineTable(const std::vector<Quanta>& orbitals, int intervals, double half)
    : orbitals_(orbitals.size()),
      points_(intervals + 3),
      half_(half),
      step_(2 * half / intervals),
      coefficient_(row(points_, 0) * orbitals_) {
  std::vector<std::vector<double>> along;
  for (int n = 0; n <= orbitals.back().sum(); ++n) along.push_back(coefficients_along(n, points_, half_, step_));
#pragma omp parallel for collapse(2) schedule(static)
  for (int x = 0; x < points_; ++x) {
    for (int y = 0; y < points_; ++y) {
      float* next = &coefficient_[row(x, y) * orbitals_];
      for (int z = 0; z < points_; ++z) {
        for (const Quanta& of : orbitals)
          *next++ = static_cast<float>(along[of.along[0]][x] * along[of.along[1]][y] * along[of.along[2]][z]);
      }
    }
  }
}

bool SplineTable::contains(const double (&at)[3]) const {
  return std::ranges::all_of(at, [this](double x) { return std::abs(x) < half_ - step_; });
}

// 4 x 4 rows of 4 points each: along z first, all orbitals of a row one after the other.
void SplineTable::evaluate(const double (&at)[3], OrbitalValues& values) const {
  int from[3];
  double part[3];
  for (int d = 0; d < 3; ++d) {
    const double scaled = (at[d] + half_) / step_;
    from[d] = static_cast<int>(scaled);
    part[d] = scaled - from[d];
  }
  const Weights x(part[0]), y(part[1]), z(part[2]);
  for (std::vector<double>* numbers :
       {&values.value, &values.gradient[0], &values.gradient[1], &values.gradient[2], &values.laplacian})
    std::ranges::fill(*numbers, 0);
  const std::size_t n = orbitals_;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const float* c = &coefficient_[(row(from[0] + i, from[1] + j) + from[2]) * n];
      const double plain = x.value[i] * y.value[j], along_x = x.first[i] * y.value[j];
      const double along_y = x.value[i] * y.first[j], bent = x.second[i] * y.value[j] + x.value[i] * y.second[j];
      for (std::size_t k = 0; k < n; ++k) {
        const double c0 = c[k], c1 = c[n + k], c2 = c[2 * n + k], c3 = c[3 * n + k];
        const double sum = z.value[0] * c0 + z.value[1] * c1 + z.value[2] * c2 + z.value[3] * c3;
        values.value[k] += plain * sum;
        values.gradient[0][k] += along_x * sum;
        values.gradient[1][k] += along_y * sum;
        values.gradient[2][k] += plain * (z.first[0] * c0 + z.first[1] * c1 + z.first[2] * c2 + z.first[3] * c3);
        values.laplacian[k] +=
            bent * sum + plain * (z.second[0] * c0 + z.second[1] * c1 + z.second[2] * c2 + z.second[3] * c3);
      }
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::vector<double>& gradient : values.gradient) gradient[k] /= step_;
    values.laplacian[k] /= step_ * step_;
  }
}

}  // namespace mc
