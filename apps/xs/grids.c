/* The nuclides, their grids, and the unionised grid: its energies and, for each of them, where every nuclide is. */
#include <stdlib.h>
#include <string.h>

#include "apps/xs/xs.h"

/* SplitMix64's finaliser: every bit of the result depends on every bit of the argument. */
uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

double draw(uint64_t* state) {
  *state += 0x9e3779b97f4a7c15U;
  return (double)(mix(*state) >> 11) * 0x1p-53;
}

double analytic(const Nuclide* nuclide, double energy, int reaction) {
  double sum = 0;
  for (int k = 0; k < RESONANCES; ++k) {
    const double distance = (energy - nuclide->at[k]) / nuclide->width;
    sum += nuclide->peak[k] / (1 + distance * distance);
  }
  return nuclide->smooth[reaction] + nuclide->share[reaction] * sum;
}

/* h^2 / 8 * max |f''|, for points at most 1.8 steps apart; 1 / (1 + x^2) bends most at its top, by 2. */
double interpolation_bound(const Model* model, size_t nuclide, int reaction) {
  const Nuclide* of = &model->nuclide[nuclide];
  const double h = 1.8 / (double)(model->points - 1);
  double bend = 0;
  for (int k = 0; k < RESONANCES; ++k) bend += 2 * of->peak[k] / (of->width * of->width);
  return h * h / 8 * bend * of->share[reaction] * (1 + 1e-9);
}

static void draw_nuclide(Nuclide* nuclide, uint64_t seed) {
  uint64_t state = mix(seed);
  for (int k = 0; k < RESONANCES; ++k) {
    nuclide->at[k] = draw(&state);
    nuclide->peak[k] = 1 + 9 * draw(&state);
  }
  nuclide->width = 0.02 + 0.1 * draw(&state);
  const double elastic = 1 + 4 * draw(&state), absorption = 0.05 * draw(&state), fission = 0.5 * absorption;
  const double smooth[REACTIONS] = {elastic + absorption, elastic, absorption, fission, 2.4 * fission};
  const double absorbed = 0.1 * draw(&state);
  const double share[REACTIONS] = {1, 1 - absorbed, absorbed, 0.5 * absorbed, 1.2 * absorbed};
  memcpy(nuclide->smooth, smooth, sizeof smooth);
  memcpy(nuclide->share, share, sizeof share);
}

/* From 0 to 1, inner points off the even ones by up to 0.4 of a step: never more than 1.8 steps apart. */
static void fill_grid(const Nuclide* nuclide, GridPoint* grid, size_t points, uint64_t seed) {
  uint64_t state = mix(seed);
  for (size_t i = 0; i < points; ++i) {
    const double jitter = 0.8 * (draw(&state) - 0.5);
    double energy = ((double)i + jitter) / (double)(points - 1);
    if (i == 0) energy = 0;
    if (i == points - 1) energy = 1;
    grid[i].energy = energy;
    for (int r = 0; r < REACTIONS; ++r) grid[i].xs[r] = analytic(nuclide, energy, r);
  }
}

static int by_energy(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

/* Rows [first, last) of the index: every nuclide's grid is walked along the unionised energies. */
static void index_rows(Model* model, size_t first, size_t last) {
  for (size_t n = 0; n < model->nuclides; ++n) {
    const GridPoint* grid = model->grid + n * model->points;
    size_t low = 0, high = model->points - 1; /* the interval's first point is in [low, high) */
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      if (grid[middle].energy <= model->union_energy[first])
        low = middle;
      else
        high = middle;
    }
    for (size_t row = first; row < last; ++row) {
      while (low + 2 < model->points && grid[low + 1].energy <= model->union_energy[row]) ++low;
      model->union_index[row * model->nuclides + n] = (int32_t)low;
    }
  }
}

static void fill_unionised(Model* model) {
  const int64_t all = (int64_t)model->unionised, rows = 64; /* rows of a chunk stay in a cache */
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < all; ++i) model->union_energy[i] = model->grid[i].energy;
  qsort(model->union_energy, model->unionised, sizeof(double), by_energy);
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < all; first += rows) {
    index_rows(model, (size_t)first, (size_t)(first + rows < all ? first + rows : all));
  }
}

/* A material has a share of the nuclides, and collisions are in it with a chance: the fuel has many of both. */
static int make_material(Model* model, int which, uint64_t seed) {
  static const double share[MATERIALS] = {0.60, 0.08, 0.06, 0.40, 0.30, 0.30, 0.12, 0.15, 0.10, 0.05};
  static const double until[MATERIALS] = {0.16, 0.30, 0.55, 0.65, 0.70, 0.75, 0.83, 0.90, 0.97, 1.00};
  Material* material = &model->material[which];
  uint64_t state = mix(seed + (uint64_t)which);
  const size_t wanted = (size_t)(share[which] * (double)model->nuclides);
  material->size = wanted < 2 ? 2 : wanted;
  material->until = until[which];
  material->nuclides = malloc(material->size * sizeof(int));
  material->density = malloc(material->size * sizeof(double));
  if (!material->nuclides || !material->density) return 0;
  for (size_t i = 0; i < material->size; ++i) {
    material->nuclides[i] = (int)(draw(&state) * (double)model->nuclides);
    material->density[i] = 0.1 + draw(&state);
  }
  return 1;
}

int make_model(Model* model, const Options* options) {
  memset(model, 0, sizeof *model);
  model->nuclides = options->nuclides;
  model->points = options->points;
  model->unionised = options->nuclides * options->points;
  model->nuclide = malloc(model->nuclides * sizeof(Nuclide));
  model->grid = malloc(model->unionised * sizeof(GridPoint));
  model->union_energy = malloc(model->unionised * sizeof(double));
  model->union_index = malloc(model->unionised * model->nuclides * sizeof(int32_t));
  int complete = model->nuclide && model->grid && model->union_energy && model->union_index;
  for (int i = 0; i < MATERIALS && complete; ++i) complete = make_material(model, i, mix(options->seed + 1));
  if (!complete) {
    free_model(model);
    return 0;
  }
  const int64_t nuclides = (int64_t)model->nuclides;
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < nuclides; ++n) {
    const uint64_t seed = mix(options->seed + 2) + 2 * (uint64_t)n;
    draw_nuclide(&model->nuclide[n], seed);
    fill_grid(&model->nuclide[n], model->grid + (size_t)n * model->points, model->points, seed + 1);
  }
  fill_unionised(model);
  return 1;
}

void free_model(Model* model) {
  for (int i = 0; i < MATERIALS; ++i) {
    free(model->material[i].nuclides);
    free(model->material[i].density);
  }
  free(model->union_index);
  free(model->union_energy);
  free(model->grid);
  free(model->nuclide);
}
