#include "apps/pic/plasma.h"

#include <cmath>

namespace pic {
namespace {

// Room for what may come from the neighbours before memory has to grow, and for what leaves in a step. Both are
// assumptions about the usual case; growing is right in all others.
std::size_t with_headroom(std::size_t count) { return count + count / 8 + 64; }
std::size_t outbox_size(std::size_t count) { return count / 32 + 64; }

}  // namespace

Box::Box(std::size_t number, const Extent& where, std::size_t particle_count)
    : name("box[" + std::to_string(number) + "]"),
      extent(where),
      fields(name, where),
      particles(name, with_headroom(particle_count)),
      outbox(name, outbox_size(particle_count)) {
  sort_space.emplace(name, particles.capacity());
}

Plasma::Plasma(const Grid& domain, double cell_size, double time_step, std::span<const std::size_t> counts)
    : grid(domain), h(cell_size), dt(time_step) {
  boxes.reserve(grid.boxes());
  for (std::size_t b = 0; b < grid.boxes(); ++b) boxes.emplace_back(b, grid.extent(b), counts[b]);
}

double stable_time_step(double cell_size, double cfl) { return cfl * cell_size / std::sqrt(2.0); }

std::vector<const apps::Block*> objects_of(const Plasma& plasma) {
  std::vector<const apps::Block*> objects;
  for (const Box& box : plasma.boxes) {
    for (const apps::Array<double>& array : box.fields.arrays) objects.push_back(&array);
    for (const apps::Array<double>& array : box.particles.arrays()) objects.push_back(&array);
    objects.insert(objects.end(), {&*box.outbox.memory, &box.sort_space->scratch, &box.sort_space->places});
  }
  return objects;
}

}  // namespace pic
