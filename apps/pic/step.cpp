#include "apps/pic/step.h"

#include <omp.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "apps/pic/box_step.h"

namespace pic {
namespace {

/// In a parallel region: `work` for each of the calling thread's boxes.
template <class Work>
void for_own_boxes(const Plasma& plasma, Work work) {
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  const auto thread = static_cast<std::size_t>(omp_get_thread_num());
  const std::size_t boxes = plasma.boxes.size();
  for (std::size_t b = boxes * thread / team; b < boxes * (thread + 1) / team; ++b) work(b);
}

/// No box touches what belongs to another one.
void move_particles(Plasma& plasma, int threads) {
#pragma omp parallel num_threads(threads)
  for_own_boxes(plasma, [&](std::size_t b) {
    push(plasma.boxes[b], plasma.h, plasma.dt);
    deposit(plasma.boxes[b], plasma.h, plasma.dt);
  });
}

/// B to t + dt/2, E to t + dt, B to t + dt. At each barrier the neighbours are about to read what was computed.
void advance_fields(Plasma& plasma, int threads) {
  const double courant = plasma.courant();
#pragma omp parallel num_threads(threads)
  {
    for_own_boxes(plasma, [&](std::size_t b) {
      add_guards(plasma, b, {Jx, Jy, Jz});
      advance_b(plasma.boxes[b], courant);
    });
#pragma omp barrier
    for_own_boxes(plasma, [&](std::size_t b) {
      fill_guards(plasma, b, {Bx, By, Bz});
      advance_e(plasma.boxes[b], courant, plasma.dt);
    });
#pragma omp barrier
    for_own_boxes(plasma, [&](std::size_t b) {
      fill_guards(plasma, b, {Ex, Ey, Ez});
      advance_b(plasma.boxes[b], courant);
    });
#pragma omp barrier
    for_own_boxes(plasma, [&](std::size_t b) { fill_guards(plasma, b, {Bx, By, Bz}); });
  }
}

void exchange_particles(Plasma& plasma, int threads) {
#pragma omp parallel num_threads(threads)
  {
    for_own_boxes(plasma, [&](std::size_t b) { send(plasma, b); });
#pragma omp barrier
    for_own_boxes(plasma, [&](std::size_t b) { receive(plasma, b); });
  }
}

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

std::size_t cell_of(const Box& box, std::size_t i) {
  const Extent& extent = box.extent;
  // Rounding may put a position just below the border onto it.
  const auto column = std::min(static_cast<int>(box.particles[X][i] - extent.begin[0]), extent.cells[0] - 1);
  const auto line = std::min(static_cast<int>(box.particles[Y][i] - extent.begin[1]), extent.cells[1] - 1);
  return static_cast<std::size_t>(line) * static_cast<std::size_t>(extent.cells[0]) + static_cast<std::size_t>(column);
}

}  // namespace

void advance(Plasma& plasma, unsigned threads) {
  const int team = static_cast<int>(threads);
  move_particles(plasma, team);
  make_room(plasma);
  advance_fields(plasma, team);
  exchange_particles(plasma, team);
}

void sort_particles(Plasma& plasma, unsigned threads) {
#pragma omp parallel num_threads(static_cast<int>(threads))
  for_own_boxes(plasma, [&](std::size_t b) { sort_by_cell(plasma.boxes[b]); });
}

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

void sort_by_cell(Box& box) {
  const std::size_t count = box.particles.count();
  const auto cells = static_cast<std::size_t>(box.extent.cells[0]) * static_cast<std::size_t>(box.extent.cells[1]);
  std::vector<std::uint32_t> next(cells + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++next[cell_of(box, i) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::uint32_t* const places = box.sort_space->places.data();
  for (std::size_t i = 0; i < count; ++i) places[next[cell_of(box, i)]++] = static_cast<std::uint32_t>(i);

  double* const scratch = box.sort_space->scratch.data();
  for (const apps::Array<double>& array : box.particles.arrays()) {
    double* const values = array.data();
    for (std::size_t i = 0; i < count; ++i) scratch[i] = values[places[i]];
    std::copy_n(scratch, count, values);
  }
}

}  // namespace pic
