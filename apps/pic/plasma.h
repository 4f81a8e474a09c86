// One plasma: fields and electrons in boxes. The ions are a background at rest that makes the start neutral.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/common/memory.h"
#include "apps/pic/fields.h"
#include "apps/pic/grid.h"
#include "apps/pic/particles.h"

namespace pic {

/// What sorting a box's particles takes.
struct SortSpace {
  SortSpace(const std::string& box_name, std::size_t capacity)
      : scratch(box_name + ".scratch", capacity), places(box_name + ".places", capacity) {}

  apps::Array<double> scratch;        ///< one attribute
  apps::Array<std::uint32_t> places;  ///< which particle will be the i-th one
};

struct Box {
  Box(std::size_t number, const Extent& where, std::size_t particle_count);

  std::string name;
  Extent extent;
  Fields fields;
  Particles particles;
  Outbox outbox;
  std::optional<SortSpace> sort_space;  ///< always there; replaced to grow
};

/// Units: the speed of light, the electron's charge (-1) and mass, the plasma frequency of density 1.
struct Plasma {
  /// `counts[b]` particles are to come to box b. Fields are zero; what charge there is at the start has its opposite at
  /// rest in the same place, as in WarpX without an initial Poisson solve.
  Plasma(const Grid& domain, double cell_size, double time_step, std::span<const std::size_t> counts);

  double courant() const { return dt / h; }  ///< how many cells light goes in a step

  Grid grid;
  double h;   ///< size of a cell
  double dt;  ///< time step
  std::vector<Box> boxes;
};

/// The time step that is `cfl` times the longest stable one of Yee's scheme in two dimensions.
double stable_time_step(double cell_size, double cfl);

/// All objects of a plasma, the same number in the same order for the same number of boxes.
std::vector<const apps::Block*> objects_of(const Plasma& plasma);

}  // namespace pic
