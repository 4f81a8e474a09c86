// Managed objects of a program, as a user allocates and configures them.
#pragma once

#include <omp.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"
#include "programs/nodes.h"

namespace kernel_test {

struct Array {
  std::string name;
  std::uint64_t* data = nullptr;
  std::size_t words = 0;
  omp_allocator_handle_t allocator = omp_null_allocator;
  std::size_t bytes() const { return words * sizeof *data; }
};

/// Nobody has touched it yet. The program ends with status 2 if there is no memory.
inline Array allocate(const std::string& name, std::size_t bytes) {
  omp_alloctrait_t traits[] = {lbhm_managed(true), lbhm_name(name.c_str())};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 2, traits);
  auto* const data = static_cast<std::uint64_t*>(omp_aligned_alloc(facts::page_bytes, bytes, allocator));
  if (!data) std::exit(2);
  return {name, data, bytes / sizeof *data, allocator};
}

inline void release(const Array& array) {
  omp_free(array.data, array.allocator);
  omp_destroy_allocator(array.allocator);
}

/// object0, object1, ... of these sizes in MiB: "8,4".
inline std::vector<Array> allocate_mib(const char* sizes) {
  std::vector<Array> arrays;
  for (char* at = const_cast<char*>(sizes); *at; at += *at == ',')
    arrays.push_back(allocate("object" + std::to_string(arrays.size()), std::strtoul(at, &at, 10) << 20));
  return arrays;
}

/// The next region works on these; each call in a program is a place of its own for LB-HM. The program ends with status
/// 3 if LB-HM refuses.
[[gnu::always_inline]] inline void configure(const std::vector<Array>& arrays) {
  std::vector<lbhm_object> objects;
  for (const Array& array : arrays) objects.push_back({array.data, 0, nullptr});
  if (lbhm_config && lbhm_config(objects.data(), objects.size())) return;
  std::printf("config: %s\n", lbhm_last_error ? lbhm_last_error() : "LB-HM is not there");
  std::exit(3);
}

}  // namespace kernel_test
