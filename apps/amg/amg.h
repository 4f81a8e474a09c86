/* Algebraic multigrid: what the files of this program share. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A sparse matrix by rows. Rows of the fine matrix have ascending columns, those of products the order of discovery. */
typedef struct {
  int rows, columns;
  int* first; /* rows + 1: where a row begins in column and value */
  int* column;
  double* value;
} Csr;

/* A level of the hierarchy. The coarsest one has neither p nor r. */
typedef struct {
  Csr a, p, r;              /* the matrix, prolongation to this level from the next one, restriction */
  double* inverse_diagonal; /* times the weight of the smoother */
  double *x, *b, *rest;     /* rest: a vector to work in */
} Level;

enum { MOST_LEVELS = 12 };

typedef struct {
  int levels;
  Level level[MOST_LEVELS];
  double* factor; /* Cholesky's, of the coarsest matrix, dense */
} Hierarchy;

typedef struct {
  int iterations;
  double residual; /* |b - A x| / |b|, computed anew */
} Solved;

/* sparse.c: memory, all by one malloc that others ask through these, and algebra. What fails for memory ends the
 * program. */
int* new_ints(int size);
double* new_numbers(int size);
Csr new_csr(int rows, int columns, int entries);
void free_csr(Csr* matrix);
int* new_row_starts(int rows);
void sum_up(int* first, int rows); /* from the rows' sizes, which are in first + 1, to where rows begin */

double dot(const double* a, const double* b, int size);
void apply(const Csr* a, const double* x, double* product);                  /* product = A x */
void subtract(const Csr* a, const double* x, const double* b, double* rest); /* rest = b - A x */
void add_product(const Csr* a, const double* x, double* sum);                /* sum += A x */
void add_scaled(double* y, double factor, const double* x, int size);        /* y += factor x */
void scale_and_add(double* y, double factor, const double* x, int size);     /* y = x + factor y */
Csr multiply(const Csr* a, const Csr* b);
Csr transpose(const Csr* a);

/* aggregate.c: groups of rows that become one row of the next level; a row's group is the column of its one entry, 1.
 */
Csr aggregate(const Csr* a, uint64_t seed);

/* hierarchy.c */
Hierarchy new_hierarchy(const Csr* a, uint64_t seed);
void free_hierarchy(Hierarchy* hierarchy);     /* all but the fine matrix, which is the caller's */
double complexity(const Hierarchy* hierarchy); /* entries of all matrices, in those of the fine one */
/* Conjugate gradients preconditioned by a V-cycle, until the residual is so small, or `most` iterations. x begins at 0.
 */
Solved solve(Hierarchy* hierarchy, const double* b, double* x, double residual, int most);

/* grid_problem.c: -div k grad u on a grid in the unit cube, u = 0 around it, with `points` (7 or 27) points a row. */
Csr grid_matrix(int side, int points, uint64_t seed);
void add_to_diagonal(Csr* a, double shift);
double* manufactured(int side, int step); /* a smooth solution */
uint64_t mix(uint64_t x);                 /* SplitMix64's finaliser */
