/* The problem: a grid of points inside the unit cube, whose material changes from block to block of the grid. */
#include <math.h>

#include "apps/amg/amg.h"

enum { BLOCK = 4 }; /* points along a block of one material */

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/* From 1 to 10. */
static double conductivity(const int at[3], uint64_t seed) {
  uint64_t block = seed;
  for (int d = 0; d < 3; ++d) block = mix(block + (uint64_t)(at[d] / BLOCK) + 1);
  return pow(10, (double)(block >> 11) * 0x1p-53);
}

static int outside(const int at[3], int side) {
  for (int d = 0; d < 3; ++d) {
    if (at[d] < 0 || at[d] >= side) return 1;
  }
  return 0;
}

/* A row's entries if `column` is there, else only their number. What lies outside of the grid is 0, and of the row's
 * own material. */
static int make_row(int row, int side, int points, uint64_t seed, int* column, double* value) {
  const int at[3] = {row % side, row / side % side, row / side / side};
  const double own = column ? conductivity(at, seed) : 0;
  double sum = 0;
  int size = 0, diagonal = 0;
  for (int k = 0; k < 27; ++k) {
    const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const int there[3] = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
    const int far = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    if (points == 7 && far > 1) continue;
    const int inside = !outside(there, side);
    if (column && far > 0) {
      const double other = inside ? conductivity(there, seed) : own;
      const double weight = 2 * own * other / (own + other);
      sum += weight;
      if (inside) value[size] = -weight;
    }
    if (far == 0) diagonal = size;
    if (inside && column) column[size] = (there[2] * side + there[1]) * side + there[0];
    size += inside;
  }
  if (column) value[diagonal] = sum;
  return size;
}

Csr grid_matrix(int side, int points, uint64_t seed) {
  const int rows = side * side * side;
  int* sizes = new_row_starts(rows);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < rows; ++i) sizes[i + 1] = make_row(i, side, points, seed, NULL, NULL);
  sum_up(sizes, rows);
  Csr a = {rows, rows, sizes, new_ints(sizes[rows]), new_numbers(sizes[rows])};
#pragma omp parallel for schedule(static)
  for (int i = 0; i < rows; ++i) make_row(i, side, points, seed, a.column + a.first[i], a.value + a.first[i]);
  return a;
}

void add_to_diagonal(Csr* a, double shift) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) {
    for (int k = a->first[i]; k < a->first[i + 1]; ++k) {
      if (a->column[k] == i) a->value[k] += shift;
    }
  }
}

double* manufactured(int side, int step) {
  const int rows = side * side * side;
  double* solution = new_numbers(rows);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < rows; ++i) {
    const int row = i / side, layer = row / side;
    const double x = (i % side + 1.0) / (side + 1), y = (row % side + 1.0) / (side + 1);
    const double z = (layer + 1.0) / (side + 1);
    solution[i] = 64 * x * (1 - x) * y * (1 - y) * z * (1 - z) * (1 + x * (step + 1));
  }
  return solution;
}
