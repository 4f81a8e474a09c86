/* Aggregates for smoothed aggregation: a maximal independent set of distance two (N. Bell, S. Dalton, L. N. Olson,
 * Exposing Fine-Grained Parallelism in Algebraic Multigrid Methods, SIAM J. Sci. Comput. 34, 2012), found in rounds in
 * which every row looks at its neighbours, so that neither the threads nor their order matter. */
#include <math.h>
#include <stdlib.h>

#include "apps/amg/amg.h"

enum { NO = -1 };
static const double strong_share = 0.25; /* of a row's strongest connection */

/* The entries of each row that are strong. Values are not kept. */
static Csr strong_graph(const Csr* a) {
  Csr graph = {a->rows, a->rows, new_row_starts(a->rows), new_ints(a->first[a->rows]), NULL};
  int* size = new_ints(a->rows);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) {
    double strongest = 0;
    for (int k = a->first[i]; k < a->first[i + 1]; ++k) {
      if (a->column[k] != i) strongest = fmax(strongest, fabs(a->value[k]));
    }
    int next = a->first[i]; /* gaps are left: a row is as long as its size says */
    for (int k = a->first[i]; k < a->first[i + 1]; ++k) {
      if (a->column[k] != i && fabs(a->value[k]) >= strong_share * strongest) graph.column[next++] = a->column[k];
    }
    size[i] = next - a->first[i];
  }
  /* close the gaps, front to back */
  for (int i = 0; i < a->rows; ++i) {
    const int at = graph.first[i];
    for (int k = 0; k < size[i]; ++k) graph.column[at + k] = graph.column[a->first[i] + k];
    graph.first[i + 1] = at + size[i];
  }
  free(size);
  return graph;
}

/* A row's key is larger if it is in the set, then by a random number; out of the set it has none. Keys are different.
 */
static const uint64_t in_set = (uint64_t)1 << 63;
static uint64_t open_key(int row, uint64_t seed) { return mix(seed + (uint64_t)row) >> 33 << 32 | (uint32_t)(row + 1); }

static void largest_near(const Csr* graph, const uint64_t* key, uint64_t* largest) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < graph->rows; ++i) {
    uint64_t found = key[i];
    for (int k = graph->first[i]; k < graph->first[i + 1]; ++k) {
      if (key[graph->column[k]] > found) found = key[graph->column[k]];
    }
    largest[i] = found;
  }
}

static uint64_t* new_keys(int size) { return (uint64_t*)new_numbers(size); }

/* Keys of rows that are in the set are at least in_set, of all others 0. */
static uint64_t* independent_set(const Csr* graph, uint64_t seed) {
  const int rows = graph->rows;
  uint64_t* key = new_keys(rows);
  uint64_t* near = new_keys(rows);
  uint64_t* far = new_keys(rows);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < rows; ++i) key[i] = open_key(i, seed);
  for (int open = rows; open > 0;) {
    largest_near(graph, key, near);
    largest_near(graph, near, far);
    open = 0;
#pragma omp parallel for schedule(static) reduction(+ : open)
    for (int i = 0; i < rows; ++i) {
      if (key[i] == 0 || key[i] >= in_set) continue;
      if (far[i] == key[i]) {
        key[i] |= in_set;
      } else if (far[i] >= in_set) {
        key[i] = 0;
      } else {
        ++open;
      }
    }
  }
  free(near);
  free(far);
  return key;
}

/* Rows that have no group join that of the first strong neighbour with one. */
static void join_neighbours(const Csr* graph, const int* group, int* joined) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < graph->rows; ++i) {
    joined[i] = group[i];
    for (int k = graph->first[i]; k < graph->first[i + 1] && joined[i] == NO; ++k) joined[i] = group[graph->column[k]];
  }
}

Csr aggregate(const Csr* a, uint64_t seed) {
  Csr graph = strong_graph(a);
  uint64_t* key = independent_set(&graph, seed);
  int* roots = new_ints(a->rows);
  int* near = new_ints(a->rows);
  int groups = 0;
  for (int i = 0; i < a->rows; ++i) roots[i] = key[i] >= in_set ? groups++ : NO;
  Csr groups_of = new_csr(a->rows, groups, a->rows);
  join_neighbours(&graph, roots, near);
  join_neighbours(&graph, near, groups_of.column);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) {
    groups_of.first[i + 1] = i + 1;
    groups_of.value[i] = 1;
  }
  free(near);
  free(roots);
  free(key);
  free_csr(&graph);
  return groups_of;
}
