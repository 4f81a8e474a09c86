/* Look-ups, the histories that ask for them, and the comparison with the analytic function. */
#include <math.h>
#include <string.h>

#include "apps/xs/xs.h"

/* The last unionised energy that is not above this one. */
static size_t find_energy(const Model* model, double energy) {
  size_t low = 0, high = model->unionised;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (model->union_energy[middle] <= energy)
      low = middle;
    else
      high = middle;
  }
  return low;
}

int look_up(const Model* model, double energy, const Material* material, double macroscopic[REACTIONS]) {
  const int32_t* row = model->union_index + find_energy(model, energy) * model->nuclides;
  int inside = 1;
  for (int r = 0; r < REACTIONS; ++r) macroscopic[r] = 0;
  for (size_t i = 0; i < material->size; ++i) {
    const size_t nuclide = (size_t)material->nuclides[i];
    const GridPoint* low = model->grid + nuclide * model->points + row[nuclide];
    const GridPoint* high = low + 1;
    const double to_high = (high->energy - energy) / (high->energy - low->energy);
    inside &= to_high >= 0 && to_high <= 1;
    for (int r = 0; r < REACTIONS; ++r) {
      macroscopic[r] += material->density[i] * (high->xs[r] - to_high * (high->xs[r] - low->xs[r]));
    }
  }
  return inside;
}

static const Material* draw_material(const Model* model, uint64_t* state) {
  const double number = draw(state);
  int which = 0;
  while (which + 1 < MATERIALS && number >= model->material[which].until) ++which;
  return &model->material[which];
}

static uint64_t checksum_of(const double macroscopic[REACTIONS]) {
  uint64_t sum = 0;
  for (int r = 0; r < REACTIONS; ++r) {
    uint64_t bits = 0;
    memcpy(&bits, &macroscopic[r], sizeof bits);
    sum = mix(sum + bits);
  }
  return sum;
}

/* One neutron, from collision to collision, until it is absorbed or has no energy left. */
static void follow(const Model* model, uint64_t seed, Tally* tally) {
  uint64_t state = mix(seed);
  double energy = 1 - 0.2 * draw(&state);
  while (energy >= 0) {
    double macroscopic[REACTIONS];
    const int inside = look_up(model, energy, draw_material(model, &state), macroscopic);
    const double parts = macroscopic[ELASTIC] + macroscopic[ABSORPTION];
    if (!inside || !(fabs(parts - macroscopic[TOTAL]) <= 1e-12 * macroscopic[TOTAL])) ++tally->mistakes;
    tally->checksum += checksum_of(macroscopic);
    ++tally->lookups;
    if (draw(&state) * macroscopic[TOTAL] < macroscopic[ABSORPTION]) return;
    energy -= 0.1 * draw(&state);
  }
}

/* Sums of whole numbers, so that neither the threads nor their order matter. */
Tally follow_histories(const Model* model, const Options* options) {
  uint64_t lookups = 0, checksum = 0, mistakes = 0;
  const int64_t histories = (int64_t)options->histories;
  const uint64_t seed = mix(options->seed + 3);
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : lookups, checksum, mistakes)
  for (int64_t i = 0; i < histories; ++i) {
    Tally tally = {0, 0, 0};
    follow(model, seed + (uint64_t)i, &tally);
    lookups += tally.lookups;
    checksum += tally.checksum;
    mistakes += tally.mistakes;
  }
  return (Tally){lookups, checksum, mistakes};
}

/* True if the macroscopic cross sections are those of the analytic functions, but for what interpolation may be off. */
static int is_right(const Model* model, double energy, const Material* material) {
  double found[REACTIONS];
  if (!look_up(model, energy, material, found)) return 0;
  for (int r = 0; r < REACTIONS; ++r) {
    double expected = 0, bound = 0;
    for (size_t i = 0; i < material->size; ++i) {
      const size_t nuclide = (size_t)material->nuclides[i];
      expected += material->density[i] * analytic(&model->nuclide[nuclide], energy, r);
      bound += material->density[i] * interpolation_bound(model, nuclide, r);
    }
    if (!(fabs(found[r] - expected) <= bound + 1e-12 * expected)) return 0;
  }
  return 1;
}

size_t wrong_samples(const Model* model, uint64_t seed, size_t samples) {
  uint64_t state = mix(seed + 4);
  size_t wrong = 0;
  for (size_t i = 0; i < samples; ++i) {
    const double energy = draw(&state);
    if (!is_right(model, energy, &model->material[i % MATERIALS])) ++wrong;
  }
  return wrong;
}
