/* The hierarchy by smoothed aggregation (P. Vanek, J. Mandel, M. Brezina, Computing 56, 1996), its V-cycle, and
 * conjugate gradients that it preconditions. */
#include <math.h>
#include <stdlib.h>

#include "apps/amg/amg.h"

enum { COARSEST = 120, POWER_STEPS = 8 }; /* rows that are solved directly; steps of the power method */

static double* inverse_diagonal_of(const Csr* a) {
  double* inverse = new_numbers(a->rows);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) {
    for (int k = a->first[i]; k < a->first[i + 1]; ++k) {
      if (a->column[k] == i) inverse[i] = 1 / a->value[k];
    }
  }
  return inverse;
}

/* Of D^-1 A, by the power method from a vector without a pattern. */
static double largest_eigenvalue(const Csr* a, const double* inverse_diagonal, uint64_t seed) {
  double* x = new_numbers(a->rows);
  double* image = new_numbers(a->rows);
  double found = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) x[i] = (double)(mix(seed + (uint64_t)i) >> 11) * 0x1p-53 - 0.5;
  for (int step = 0; step < POWER_STEPS; ++step) {
    apply(a, x, image);
    const double norm = sqrt(dot(x, x, a->rows));
#pragma omp parallel for schedule(static)
    for (int i = 0; i < a->rows; ++i) x[i] = image[i] * inverse_diagonal[i] / norm;
    found = sqrt(dot(x, x, a->rows));
  }
  free(image);
  free(x);
  return found;
}

/* P = (I - w D^-1 A) T: A T has a row's own group among its columns, for no diagonal is 0. */
static Csr smoothed_prolongation(const Csr* a, const Csr* groups, const double* weighted_inverse) {
  Csr p = multiply(a, groups);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < p.rows; ++i) {
    for (int k = p.first[i]; k < p.first[i + 1]; ++k) {
      p.value[k] = (p.column[k] == groups->column[i]) - weighted_inverse[i] * p.value[k];
    }
  }
  return p;
}

static Csr galerkin_product(const Csr* r, const Csr* a, const Csr* p) {
  Csr half = multiply(a, p);
  Csr coarse = multiply(r, &half);
  free_csr(&half);
  return coarse;
}

/* Cholesky's factor of the coarsest matrix, lower, by rows. */
static double* factorise(const Csr* a) {
  const int n = a->rows;
  double* l = new_numbers(n * n);
  for (int i = 0; i < n; ++i) {
    for (int k = a->first[i]; k < a->first[i + 1]; ++k) l[i * n + a->column[k]] = a->value[k];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = l[i * n + j];
      for (int k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
    }
  }
  return l;
}

static void solve_directly(const double* l, int n, const double* b, double* x) {
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = 0; k < i; ++k) sum -= l[i * n + k] * x[k];
    x[i] = sum / l[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = x[i];
    for (int k = i + 1; k < n; ++k) sum -= l[k * n + i] * x[k];
    x[i] = sum / l[i * n + i];
  }
}

/* What the level works with, and the matrix of the next one; 0 where there is none. */
static int add_level(Level* level, Csr* coarse, uint64_t seed) {
  const int rows = level->a.rows;
  level->x = new_numbers(rows);
  level->b = new_numbers(rows);
  level->rest = new_numbers(rows);
  level->inverse_diagonal = inverse_diagonal_of(&level->a);
  if (rows <= COARSEST) return 0;
  const double weight = 4.0 / 3 / (1.05 * largest_eigenvalue(&level->a, level->inverse_diagonal, seed));
#pragma omp parallel for schedule(static)
  for (int i = 0; i < rows; ++i) level->inverse_diagonal[i] *= weight;
  Csr groups = aggregate(&level->a, seed);
  level->p = smoothed_prolongation(&level->a, &groups, level->inverse_diagonal);
  free_csr(&groups);
  level->r = transpose(&level->p);
  *coarse = galerkin_product(&level->r, &level->a, &level->p);
  return 1;
}

Hierarchy new_hierarchy(const Csr* a, uint64_t seed) {
  Hierarchy hierarchy = {0};
  hierarchy.level[0].a = *a;
  for (int l = 0; l < MOST_LEVELS; ++l) {
    Csr coarse;
    hierarchy.levels = l + 1;
    if (!add_level(&hierarchy.level[l], &coarse, mix(seed + (uint64_t)l))) break;
    hierarchy.level[l + 1].a = coarse; /* a grid of 10^9 points has 7 levels */
  }
  hierarchy.factor = factorise(&hierarchy.level[hierarchy.levels - 1].a);
  return hierarchy;
}

void free_hierarchy(Hierarchy* hierarchy) {
  for (int l = 0; l < hierarchy->levels; ++l) {
    Level* level = &hierarchy->level[l];
    if (l > 0) free_csr(&level->a);
    free_csr(&level->p);
    free_csr(&level->r);
    free(level->inverse_diagonal);
    free(level->x);
    free(level->b);
    free(level->rest);
  }
  free(hierarchy->factor);
}

double complexity(const Hierarchy* hierarchy) {
  double entries = 0;
  for (int l = 0; l < hierarchy->levels; ++l) entries += hierarchy->level[l].a.first[hierarchy->level[l].a.rows];
  return entries / hierarchy->level[0].a.first[hierarchy->level[0].a.rows];
}

/* x = 0 + w D^-1 b, or x += w D^-1 rest. */
static void smooth_from_zero(const Level* level, const double* b, double* x) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < level->a.rows; ++i) x[i] = level->inverse_diagonal[i] * b[i];
}

static void smooth(const Level* level, const double* b, double* x) {
  subtract(&level->a, x, b, level->rest);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < level->a.rows; ++i) x[i] += level->inverse_diagonal[i] * level->rest[i];
}

/* x = M^-1 b: one sweep of weighted Jacobi before and one after the coarser level, so that M is symmetric. */
static void v_cycle(const Hierarchy* hierarchy, int l, const double* b, double* x) {
  const Level* level = &hierarchy->level[l];
  if (l == hierarchy->levels - 1) {
    solve_directly(hierarchy->factor, level->a.rows, b, x);
    return;
  }
  const Level* next = level + 1;
  smooth_from_zero(level, b, x);
  subtract(&level->a, x, b, level->rest);
  apply(&level->r, level->rest, next->b);
  v_cycle(hierarchy, l + 1, next->b, next->x);
  add_product(&level->p, next->x, x);
  smooth(level, b, x);
}

Solved solve(Hierarchy* hierarchy, const double* b, double* x, double residual, int most) {
  const Csr* a = &hierarchy->level[0].a;
  const int rows = a->rows;
  double* rest = new_numbers(rows);
  double* corrected = hierarchy->level[0].x;
  double* direction = new_numbers(rows);
  double* image = new_numbers(rows);
  const double enough = residual * residual * dot(b, b, rows);
  double product = 0;
  Solved solved = {0, 0};
  scale_and_add(rest, 0, b, rows);
  for (; solved.iterations < most && dot(rest, rest, rows) > enough; ++solved.iterations) {
    v_cycle(hierarchy, 0, rest, corrected);
    const double before = product;
    product = dot(rest, corrected, rows);
    scale_and_add(direction, solved.iterations == 0 ? 0 : product / before, corrected, rows);
    apply(a, direction, image);
    const double step = product / dot(direction, image, rows);
    add_scaled(x, step, direction, rows);
    add_scaled(rest, -step, image, rows);
  }
  subtract(a, x, b, rest);
  solved.residual = sqrt(dot(rest, rest, rows) / dot(b, b, rows));
  free(image);
  free(direction);
  free(rest);
  return solved;
}
