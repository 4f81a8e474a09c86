// Plasmas made by hand, for tests with a known answer.
#pragma once

#include <vector>

#include "apps/pic/plasma_boxes.h"

namespace pic {

/// Without fields, of `count` boxes.
inline Plasma plasma_of(std::array<int, 2> cells, std::array<int, 2> count, double h, double cfl,
                        const std::vector<Particle>& particles) {
  const Grid grid(cells, count);
  std::vector<std::size_t> counts(grid.boxes(), 0);
  const auto box_of = [&](const Particle& p) { return grid.box_of(static_cast<int>(p.x), static_cast<int>(p.y)); };
  for (const Particle& particle : particles) ++counts[box_of(particle)];
  Plasma plasma(grid, h, stable_time_step(h, cfl), counts);
  for (const Particle& particle : particles) plasma.boxes[box_of(particle)].particles.append(particle);
  return plasma;
}

}  // namespace pic
