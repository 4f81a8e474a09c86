#include "apps/pic/exchange.h"

#include <cmath>
#include <numeric>

namespace pic {
namespace {

/// Into [0, cells). Adding `cells` to a tiny negative number gives `cells` itself, which is outside.
double wrap(double position, int cells) {
  if (position < 0)
    position += cells;
  else if (position >= cells)
    position -= cells;
  return position < cells ? position : std::nextafter(static_cast<double>(cells), 0.0);
}

std::size_t incoming(const Plasma& plasma, std::size_t number) {
  std::size_t sum = 0;
  for (std::size_t d = 0; d < directions; ++d) {
    sum += plasma.boxes[plasma.grid.neighbour(number, d)].outbox.leaving[opposite(d)];
  }
  return sum;
}

std::size_t outgoing(const Box& box) {
  return std::accumulate(box.outbox.leaving.begin(), box.outbox.leaving.end(), std::size_t{0});
}

}  // namespace

void make_room(Plasma& plasma) {
  for (std::size_t b = 0; b < plasma.boxes.size(); ++b) {
    Box& box = plasma.boxes[b];
    const std::size_t out = outgoing(box);
    if (out > box.outbox.memory->size()) box.outbox.grow(out + out / 2);
    const std::size_t count = box.particles.count() - out + incoming(plasma, b);
    if (count <= box.particles.capacity()) continue;
    box.particles.grow(count + count / 4);
    box.sort_space.emplace(box.name, box.particles.capacity());
  }
}

void send(Plasma& plasma, std::size_t number) {
  Box& box = plasma.boxes[number];
  Outbox& outbox = box.outbox;
  std::partial_sum(outbox.leaving.begin(), outbox.leaving.end(), outbox.begins.begin() + 1);
  std::array<std::size_t, directions + 1> next = outbox.begins;
  const Extent extent = box.extent;
  Particles& particles = box.particles;
  for (std::size_t i = 0; i < particles.count();) {
    const int dx = extent.side(0, particles[X][i]);
    const int dy = extent.side(1, particles[Y][i]);
    if (dx == 0 && dy == 0) {
      ++i;
      continue;
    }
    Particle leaving = particles.get(i);
    leaving.x = wrap(leaving.x, plasma.grid.cells()[0]);
    leaving.y = wrap(leaving.y, plasma.grid.cells()[1]);
    outbox.memory->data()[next[direction_of(dx, dy)]++] = leaving;
    particles.remove(i);
  }
}

void receive(Plasma& plasma, std::size_t number) {
  Particles& particles = plasma.boxes[number].particles;
  for (std::size_t d = 0; d < directions; ++d) {
    const Outbox& outbox = plasma.boxes[plasma.grid.neighbour(number, d)].outbox;
    const Particle* const first = outbox.memory->data();
    const std::size_t from = opposite(d);
    for (std::size_t i = outbox.begins[from]; i < outbox.begins[from + 1]; ++i) particles.append(first[i]);
  }
}

}  // namespace pic
