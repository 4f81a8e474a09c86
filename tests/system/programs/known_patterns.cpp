// Three instances of a phase whose objects are accessed with patterns that a person can name.
// known_patterns [SIZE...]: elements of the arrays in each instance.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lbhm/lbhm.h"

namespace {

struct Point {
  double x, y, z, mass;
};

struct Arrays {
  double* stream;
  double* grid;
  double* table;
  Point* points;
  long* index;
  double** rows;  // of `grid`
  long elements, width;
};

template <class T>
T* allocate(long elements) {
  return static_cast<T*>(aligned_alloc(4096, static_cast<std::size_t>(elements) * sizeof(T)));
}

Arrays make(long elements) {
  Arrays a{};
  a.elements = elements;
  a.width = 1024;
  a.stream = allocate<double>(elements);
  a.grid = allocate<double>(elements);
  a.table = allocate<double>(elements);
  a.points = allocate<Point>(elements / 4);
  a.index = allocate<long>(elements);
  a.rows = allocate<double*>(elements / a.width);
  unsigned long state = 1;
  for (long i = 0; i < elements; ++i) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    a.stream[i] = a.grid[i] = a.table[i] = 1;
    a.index[i] = static_cast<long>(state >> 20) % elements;
  }
  for (long i = 0; i < elements / 4; ++i) a.points[i] = {1, 1, 1, 1};
  for (long i = 0; i < elements / a.width; ++i) a.rows[i] = a.grid + i * a.width;
  return a;
}

void release(const Arrays& a) {
  std::free(a.stream);
  std::free(a.grid);
  std::free(a.table);
  std::free(a.points);
  std::free(a.index);
  std::free(a.rows);
}

double work(const Arrays& a) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(static)
    for (long i = 0; i < a.elements; ++i) a.stream[i] = a.stream[i] * 0.5 + 1;
#pragma omp for schedule(static)
    for (long i = 0; i < a.elements; ++i) sum += a.table[a.index[i]];
#pragma omp for schedule(static)
    for (long i = 0; i < a.elements / 4; ++i) sum += a.points[i].mass;
#pragma omp for schedule(static)
    for (long i = 1; i < a.elements / a.width - 1; ++i)
      for (long j = 1; j < a.width - 1; ++j)
        sum += a.rows[i][j] + a.rows[i - 1][j] + a.rows[i + 1][j] + a.rows[i][j - 1] + a.rows[i][j + 1];
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<long> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::atol(argv[i]));
  if (sizes.empty()) sizes = {1 << 18, 1 << 18, 1 << 19};
  double sum = 0;
  for (const long elements : sizes) {
    const Arrays a = make(elements);
    const auto bytes = static_cast<unsigned long>(elements) * sizeof(double);
    const lbhm_object objects[] = {{a.stream, bytes, "stream"},
                                   {a.grid, bytes, "grid"},
                                   {a.table, bytes, "table"},
                                   {a.points, bytes, "points"},
                                   {a.index, bytes, "index"}};
    if (lbhm_config) lbhm_config(objects, sizeof objects / sizeof *objects);
    sum += work(a);
    release(a);
  }
  std::printf("checksum: %.0f\n", sum);
}
