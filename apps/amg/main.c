/* Conjugate gradients preconditioned by algebraic multigrid, on a grid and on one with twice the points a side, in time
 * steps of which each sets up a hierarchy of its own. An ordinary OpenMP program. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/amg/amg.h"
#include "apps/common/c_options.h"

enum { GOOD, WRONG, MOST_ITERATIONS = 100 };
static const double enough = 1e-8;      /* residual, as a part of the right-hand side */
static const double near_enough = 1e-6; /* largest error, as a part of the largest number */

typedef struct {
  uint64_t size, points, steps, seed, threads;
} Options;

typedef struct {
  int iterations; /* of the step that needs most */
  int verified;
  uint64_t checksum;
} Result;

static uint64_t checksum_of(uint64_t sum, const double* numbers, int size) {
  for (int i = 0; i < size; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, &numbers[i], sizeof bits);
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 32;
  }
  return sum;
}

static double largest_error(const double* found, const double* exact, int size) {
  double error = 0, largest = 0;
#pragma omp parallel for schedule(static) reduction(max : error, largest)
  for (int i = 0; i < size; ++i) {
    error = fmax(error, fabs(found[i] - exact[i]));
    largest = fmax(largest, fabs(exact[i]));
  }
  return error / largest;
}

static void advance(Csr* a, int side, int step, uint64_t seed, Result* result) {
  double* exact = manufactured(side, step);
  double* b = new_numbers(a->rows);
  double* x = new_numbers(a->rows);
  apply(a, exact, b);
  Hierarchy hierarchy = new_hierarchy(a, seed);
  const Solved solved = solve(&hierarchy, b, x, enough, MOST_ITERATIONS);
  const double error = largest_error(x, exact, a->rows);
  const int verified = solved.residual < 2 * enough && error < near_enough;
  printf("%6d %5d %10d %7d %11.2f %11d %11.3e %11.3e %9s\n", side, step, a->rows, hierarchy.levels,
         complexity(&hierarchy), solved.iterations, solved.residual, error, verified ? "yes" : "NO");
  result->verified &= verified;
  if (solved.iterations > result->iterations) result->iterations = solved.iterations;
  result->checksum = checksum_of(result->checksum, x, a->rows);
  free_hierarchy(&hierarchy);
  free(x);
  free(b);
  free(exact);
}

static Result run_on(int side, const Options* options) {
  Result result = {0, 1, 1};
  Csr a = grid_matrix(side, (int)options->points, options->seed);
  for (int step = 0; step < (int)options->steps; ++step) {
    if (step > 0) add_to_diagonal(&a, 0.01);
    advance(&a, side, step, options->seed, &result);
  }
  free_csr(&a);
  return result;
}

static int run(const Options* options) {
  const int side = (int)options->size;
  printf("Algebraic multigrid: %" PRIu64 " points a row, %" PRIu64 " steps\n", options->points, options->steps);
  printf("%6s %5s %10s %7s %11s %11s %11s %11s %9s\n", "size", "step", "rows", "levels", "complexity", "iterations",
         "residual", "error", "verified");
  const Result coarse = run_on(side / 2, options);
  const Result fine = run_on(side, options);
  const int independent = fine.iterations <= coarse.iterations + 5;
  const int verified = coarse.verified && fine.verified && independent;
  printf("iterations %d and %d, nearly independent of the size: %s\n", coarse.iterations, fine.iterations,
         independent ? "yes" : "NO");
  printf("verified: %s\nchecksum: 0x%016" PRIx64 "\n", verified ? "yes" : "NO", coarse.checksum + fine.checksum);
  if (!verified) fprintf(stderr, "amg: a residual, an error or the number of iterations is too large.\n");
  return verified ? GOOD : WRONG;
}

int main(int argc, char** argv) {
  Options options = {36, 27, 2, 1, (uint64_t)omp_get_max_threads()};
  const CNumberOption known[] = {
      {"size", 12, 256, &options.size, "points along each side of the cube"},
      {"points", 7, 27, &options.points, "of the stencil: 7 or 27"},
      {"steps", 1, 1000, &options.steps, "time steps"},
      {"seed", 0, UINT32_MAX, &options.seed, "of the material and the aggregates"},
      {"threads", 1, 1024, &options.threads, "threads"},
  };
  const int status = read_number_options(argc, argv, "amg", "solves a Poisson problem by algebraic multigrid", known,
                                         (int)(sizeof known / sizeof *known));
  if (status != -1) return status;
  if (options.points != 7 && options.points != 27) {
    fprintf(stderr, "amg: --points: %" PRIu64 " must be 7 or 27. See --help.\n", options.points);
    return 2;
  }
  omp_set_num_threads((int)options.threads);
  return run(&options);
}
