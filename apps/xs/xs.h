/* Macroscopic cross-section look-ups: what the files of this program share.
 *
 * Energies are fractions of the (logarithmic) range of all energies, from 0 to 1. A cross section is what the nuclides
 * of a material offer a neutron, by reaction. */
#ifndef APPS_XS_XS_H
#define APPS_XS_XS_H

#include <stddef.h>
#include <stdint.h>

enum Reaction { TOTAL, ELASTIC, ABSORPTION, FISSION, PRODUCTION, REACTIONS };
enum { RESONANCES = 4, MATERIALS = 10 };

typedef struct {
  uint64_t nuclides, points, histories, seed, threads;
} Options;

/* The analytic cross section of a nuclide: smooth[r] + sum over k of peak[k] * share[r] / (1 + ((e - at[k]) / width)^2)
 */
typedef struct {
  double smooth[REACTIONS], share[REACTIONS];
  double at[RESONANCES], peak[RESONANCES], width;
} Nuclide;

/* One point of a nuclide's own grid. */
typedef struct {
  double energy;
  double xs[REACTIONS];
} GridPoint;

typedef struct {
  size_t size;  /* of its nuclides */
  double until; /* a collision is in it if the random number is below this one, and not below an earlier one's */
  int* nuclides;
  double* density; /* of each of them */
} Material;

typedef struct {
  size_t nuclides, points, unionised;
  Nuclide* nuclide;
  GridPoint* grid;      /* nuclides x points */
  double* union_energy; /* the energies of all grids, ascending */
  int32_t* union_index; /* unionised x nuclides: the interval of each grid in which that energy is */
  Material material[MATERIALS];
} Model;

typedef struct {
  uint64_t lookups, checksum;
  uint64_t mistakes; /* look-ups in a wrong interval, or whose reactions do not add up to the total */
} Tally;

/* Random numbers that depend on nothing but the seed and what they are for. */
uint64_t mix(uint64_t x);
double draw(uint64_t* state); /* from 0 to below 1 */

double analytic(const Nuclide* nuclide, double energy, int reaction);
/* How far linear interpolation on a nuclide's grid can be off. */
double interpolation_bound(const Model* model, size_t nuclide, int reaction);

/* 0 if memory is short: then nothing is held. */
int make_model(Model* model, const Options* options);
void free_model(Model* model);

/* 0 if the index names an interval of some grid in which the energy is not. */
int look_up(const Model* model, double energy, const Material* material, double macroscopic[REACTIONS]);
Tally follow_histories(const Model* model, const Options* options);
/* Compares look-ups with the analytic function. The number of those that are off. */
size_t wrong_samples(const Model* model, uint64_t seed, size_t samples);

#endif
