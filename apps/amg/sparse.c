/* Memory and the algebra of sparse matrices. Rows belong to threads, and sums are of blocks of fixed size, so that
 * results are the same with any number of threads. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/amg/amg.h"

/* The only place that allocates, as hypre's: who asks is told by the calls that lead here. */
static void* allocate(size_t count, size_t size) {
  void* memory = malloc(count == 0 ? size : count * size);
  if (memory == NULL) {
    fprintf(stderr, "amg: not enough memory. Use a smaller --size.\n");
    exit(1);
  }
  return memory;
}

int* new_ints(int size) { return allocate((size_t)size, sizeof(int)); }

double* new_numbers(int size) {
  double* numbers = allocate((size_t)size, sizeof(double));
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) numbers[i] = 0;
  return numbers;
}

int* new_row_starts(int rows) {
  int* first = new_ints(rows + 1);
  first[0] = 0;
  return first;
}

static Csr csr_with(int* first, int rows, int columns) {
  Csr matrix = {rows, columns, first, NULL, NULL};
  matrix.column = new_ints(first[rows]);
  matrix.value = allocate((size_t)first[rows], sizeof(double));
  return matrix;
}

Csr new_csr(int rows, int columns, int entries) {
  Csr matrix = {rows, columns, new_row_starts(rows), new_ints(entries), NULL};
  matrix.value = allocate((size_t)entries, sizeof(double));
  return matrix;
}

void free_csr(Csr* matrix) {
  free(matrix->first);
  free(matrix->column);
  free(matrix->value);
}

void sum_up(int* first, int rows) {
  for (int i = 0; i < rows; ++i) first[i + 1] += first[i];
}

double dot(const double* a, const double* b, int size) {
  enum { BLOCK = 1024 };
  const int blocks = (size + BLOCK - 1) / BLOCK;
  double* sums = allocate((size_t)blocks, sizeof(double));
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; ++block) {
    const int end = (block + 1) * BLOCK < size ? (block + 1) * BLOCK : size;
    double sum = 0;
    for (int i = block * BLOCK; i < end; ++i) sum += a[i] * b[i];
    sums[block] = sum;
  }
  double all = 0;
  for (int block = 0; block < blocks; ++block) all += sums[block];
  free(sums);
  return all;
}

static double product_of_row(const Csr* a, int row, const double* x) {
  double sum = 0;
  for (int k = a->first[row]; k < a->first[row + 1]; ++k) sum += a->value[k] * x[a->column[k]];
  return sum;
}

void apply(const Csr* a, const double* x, double* product) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) product[i] = product_of_row(a, i, x);
}

void subtract(const Csr* a, const double* x, const double* b, double* rest) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) rest[i] = b[i] - product_of_row(a, i, x);
}

void add_product(const Csr* a, const double* x, double* sum) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->rows; ++i) sum[i] += product_of_row(a, i, x);
}

void add_scaled(double* y, double factor, const double* x, int size) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) y[i] += factor * x[i];
}

void scale_and_add(double* y, double factor, const double* x, int size) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) y[i] = x[i] + factor * y[i];
}

static int* new_marks(int size) {
  int* marks = new_ints(size);
  for (int i = 0; i < size; ++i) marks[i] = -1;
  return marks;
}

/* A row's entries are found in the order in which the factors have them. Each thread marks the columns that it has met.
 */
Csr multiply(const Csr* a, const Csr* b) {
  int* first = new_row_starts(a->rows);
#pragma omp parallel
  {
    int* row_of = new_marks(b->columns);
#pragma omp for schedule(static)
    for (int i = 0; i < a->rows; ++i) {
      int size = 0;
      for (int k = a->first[i]; k < a->first[i + 1]; ++k)
        for (int j = a->column[k], l = b->first[j]; l < b->first[j + 1]; ++l) {
          if (row_of[b->column[l]] == i) continue;
          row_of[b->column[l]] = i, ++size;
        }
      first[i + 1] = size;
    }
    free(row_of);
  }
  sum_up(first, a->rows);
  Csr product = csr_with(first, a->rows, b->columns);
#pragma omp parallel
  {
    int* place_of = new_marks(b->columns);
#pragma omp for schedule(static)
    for (int i = 0; i < a->rows; ++i) {
      int next = first[i];
      for (int k = a->first[i]; k < a->first[i + 1]; ++k)
        for (int j = a->column[k], l = b->first[j]; l < b->first[j + 1]; ++l) {
          const int column = b->column[l];
          if (place_of[column] < first[i] || place_of[column] >= next) {
            place_of[column] = next;
            product.column[next] = column;
            product.value[next++] = 0;
          }
          product.value[place_of[column]] += a->value[k] * b->value[l];
        }
    }
    free(place_of);
  }
  return product;
}

/* Each thread counts the columns of its rows; then it knows where its entries of each column go. */
Csr transpose(const Csr* a) {
  const int threads = omp_get_max_threads(), columns = a->columns;
  Csr turned = new_csr(columns, a->rows, a->first[a->rows]);
  int* next = new_ints(threads * columns); /* [thread][column] */
#pragma omp parallel num_threads(threads)
  {
    int* mine = next + (size_t)omp_get_thread_num() * (size_t)columns;
    const int from = (int)((int64_t)a->rows * omp_get_thread_num() / omp_get_num_threads());
    const int to = (int)((int64_t)a->rows * (omp_get_thread_num() + 1) / omp_get_num_threads());
    for (int j = 0; j < columns; ++j) mine[j] = 0;
    for (int k = a->first[from]; k < a->first[to]; ++k) ++mine[a->column[k]];
#pragma omp barrier
#pragma omp single
    for (int j = 0; j < columns; ++j) {
      int at = turned.first[j];
      for (int t = 0; t < omp_get_num_threads(); ++t) {
        const int size = next[t * columns + j];
        next[t * columns + j] = at;
        at += size;
      }
      turned.first[j + 1] = at;
    }
    for (int i = from; i < to; ++i) {
      for (int k = a->first[i]; k < a->first[i + 1]; ++k) {
        const int at = mine[a->column[k]]++;
        turned.column[at] = i;
        turned.value[at] = a->value[k];
      }
    }
  }
  free(next);
  return turned;
}
