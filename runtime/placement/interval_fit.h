// How long to wait between two scans so that a wanted number of pages is found accessed.
// memory-optimizer, IntervalFitting.h: a line through the nearest known points on both sides of the target.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>

#include "runtime/base/units.h"

namespace lbhm::placement {

class IntervalFit {
 public:
  /// After `waited` so many pages were found accessed.
  void add(Nanoseconds waited, double pages) {
    std::erase_if(points_, [&](const Point& point) { return point.waited == waited; });
    points_.push_back({waited, pages});
    if (points_.size() > remembered) points_.pop_front();
  }

  /// The interval after which `target` pages should be found; nothing without a point.
  std::optional<Nanoseconds> estimate(double target) const {
    const Point* above = nullptr;  // the nearest
    const Point* below = nullptr;
    for (const Point& point : points_) {
      const Point*& side = point.pages >= target ? above : below;
      if (!side || std::abs(point.pages - target) <= std::abs(side->pages - target)) side = &point;
    }
    if (!above && !below) return std::nullopt;
    if (!above || !below) return in_proportion(above ? *above : *below, target);
    const double slope = (above->pages - below->pages) / (above->waited.value - below->waited.value);
    return Nanoseconds(below->waited.value + (target - below->pages) / slope);
  }

 private:
  struct Point {
    Nanoseconds waited;
    double pages = 0;
  };
  static constexpr std::size_t remembered = 10;  // assumption: the instantiation gives the number

  /// With points on one side only: at most tenfold, at least a fifth (IntervalFitting.h, pure_liner_x).
  static Nanoseconds in_proportion(const Point& point, double target) {
    return point.waited * std::clamp(target / (point.pages + 1), 0.2, 10.0);
  }

  std::deque<Point> points_;  // the newest last
};

}  // namespace lbhm::placement
