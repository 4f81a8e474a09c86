// A power law y = a x^p through points, by weighted least squares of the logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace lbhm::model {

struct LogPoint {
  double x, y;    ///< logarithms
  double weight;  ///< inverse variance of y
};

/// Work and accesses do not shrink when their object grows, and nothing that is worth placing grows faster than N^3.
inline constexpr double least_exponent = 0, largest_exponent = 3;
/// Before anything is seen p is 1, "in proportion to the size" (Eq. 1), give or take 1: linear and quadratic growth are
/// not surprising. An assumption, which two instances outweigh unless their sizes or counts hardly differ.
inline constexpr double prior_exponent = 1, prior_variance = 1;

struct PowerLaw {
  double x = 0, y = 0;  ///< logarithms of the middle of the points
  double exponent = prior_exponent;
  double cost = 0;  ///< what the exponent leaves unexplained, and how surprising it is itself

  double log_at(double log_x) const { return y + exponent * (log_x - x); }
};

/// The exponent is the most probable one, given the points and the prior. Weights must not all be 0.
inline PowerLaw fit_power_law(std::span<const LogPoint> points) {
  double weights = 0;
  PowerLaw law;
  for (const LogPoint& point : points) {
    weights += point.weight;
    law.x += point.weight * point.x;
    law.y += point.weight * point.y;
  }
  law.x /= weights;
  law.y /= weights;
  double xx = 0, xy = 0, yy = 0;
  for (const LogPoint& point : points) {
    xx += point.weight * (point.x - law.x) * (point.x - law.x);
    xy += point.weight * (point.x - law.x) * (point.y - law.y);
    yy += point.weight * (point.y - law.y) * (point.y - law.y);
  }
  const double p = (xy + prior_exponent / prior_variance) / (xx + 1 / prior_variance);
  law.exponent = std::clamp(p, least_exponent, largest_exponent);
  const double surprise = law.exponent - prior_exponent;
  law.cost = yy - 2 * law.exponent * xy + law.exponent * law.exponent * xx + surprise * surprise / prior_variance;
  return law;
}

}  // namespace lbhm::model
