// What the programs of this folder have in common: memory that LB-HM may move, plans, and the way they end.
#pragma once

#include <omp.h>

#include <cstddef>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace faults {

/// An allocator whose objects LB-HM manages; an ordinary one without LB-HM.
inline omp_allocator_handle_t managed_allocator() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  return lbhm_init_allocator(omp_default_mem_space, 1, traits);
}

/// An array that LB-HM manages.
struct Array {
  explicit Array(std::size_t size) : count(size) {
    data = static_cast<double*>(omp_alloc(size * sizeof(double), managed_allocator()));
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<double>(i);
  }
  std::size_t bytes() const { return count * sizeof(double); }
  double sum() const {
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) total += data[i];
    return total;
  }

  std::size_t count;
  double* data;
};

/// Plans for the region that follows. Nothing without LB-HM.
inline void plan(const Array& array) {
  const lbhm_object objects[] = {{array.data, array.bytes(), "array"}};
  if (lbhm_config) lbhm_config(objects, 1);
}

/// A planned region that adds one to every element.
inline void add_one(const Array& array) {
  plan(array);
#pragma omp parallel for
  for (std::size_t i = 0; i < array.count; ++i) array.data[i] += 1;
}

/// Ends the program in the way that FAULTS_ENDING names (ending.cpp); the last statement of main: `return finish();`
int finish();

}  // namespace faults
