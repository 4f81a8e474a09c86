#include "apps/pic/step.h"

#include <omp.h>

#include <cstddef>

#include "apps/pic/deposit.h"
#include "apps/pic/exchange.h"
#include "apps/pic/guard_cells.h"
#include "apps/pic/maxwell.h"
#include "apps/pic/push.h"
#include "apps/pic/sort.h"

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

}  // namespace pic
