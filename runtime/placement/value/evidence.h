// What was seen of things, and the line through it: so much evidence, and what came of it.
#pragma once

#include <array>
#include <cstddef>

namespace lbhm::placement {

/// Worth that was sampled of a page, per nanosecond: of late, for longer, and for long.
inline constexpr std::size_t scales = 3;
using Evidence = std::array<double, scales>;

inline double dot(const Evidence& a, const Evidence& b) {
  double sum = 0;
  for (std::size_t i = 0; i < scales; ++i) sum += a[i] * b[i];
  return sum;
}

/// Sums over n things with evidence x, of which y came, and of their products.
struct EvidenceSums {
  double n = 0, y = 0, yy = 0;
  Evidence x{}, xy{};
  std::array<Evidence, scales> xx{};

  void add_evidence(const Evidence& each, double weight = 1) {
    for (std::size_t i = 0; i < scales; ++i) {
      x[i] += weight * each[i];
      for (std::size_t j = 0; j < scales; ++j) xx[i][j] += weight * each[i] * each[j];
    }
  }
  void add_outcome(const Evidence& of, double came, double weight = 1) {
    y += weight * came, yy += weight * came * came;
    for (std::size_t i = 0; i < scales; ++i) xy[i] += weight * came * of[i];
  }
  void add(const EvidenceSums& other) {
    n += other.n, y += other.y, yy += other.yy;
    for (std::size_t i = 0; i < scales; ++i) {
      x[i] += other.x[i], xy[i] += other.xy[i];
      for (std::size_t j = 0; j < scales; ++j) xx[i][j] += other.xx[i][j];
    }
  }
  void fade(double left) {
    n *= left, y *= left, yy *= left;
    for (std::size_t i = 0; i < scales; ++i) {
      x[i] *= left, xy[i] *= left;
      for (double& each : xx[i]) each *= left;
    }
  }
  /// The same things, each about their mean.
  EvidenceSums about_mean() const {
    EvidenceSums about = *this;
    if (!(n > 0)) return {};
    about.x = {}, about.y = 0, about.yy -= y * y / n;
    for (std::size_t i = 0; i < scales; ++i) {
      about.xy[i] -= x[i] * y / n;
      for (std::size_t j = 0; j < scales; ++j) about.xx[i][j] -= x[i] * x[j] / n;
    }
    return about;
  }
};

/// The slopes of y over x by ridge regression (Hoerl and Kennard, Technometrics 12, 1970): few things leave the slopes
/// near those that were expected of them. Slopes are parts of 1, and a part of which nothing is known has variance 1/12
/// (uniform).
inline Evidence slopes(const EvidenceSums& seen, const Evidence& expected) {
  if (!(seen.yy > 0) || !(seen.n > 0)) return expected;
  const double ridge = seen.yy / seen.n * 12;
  auto a = seen.xx;
  Evidence slope = seen.xy;
  for (std::size_t i = 0; i < scales; ++i) a[i][i] += ridge, slope[i] += ridge * expected[i];
  for (std::size_t i = 0; i < scales; ++i) {  // Gauss; the ridge keeps pivots above 0
    for (std::size_t j = i + 1; j < scales; ++j) {
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k < scales; ++k) a[j][k] -= factor * a[i][k];
      slope[j] -= factor * slope[i];
    }
  }
  for (std::size_t i = scales; i-- > 0;) {
    for (std::size_t k = i + 1; k < scales; ++k) slope[i] -= a[i][k] * slope[k];
    slope[i] /= a[i][i];
  }
  return slope;
}

}  // namespace lbhm::placement
