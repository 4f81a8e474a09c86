// A kernel on objects of one size: what it works on, with which pattern, and the work, which is one parallel region.
#pragma once

#include <omp.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bench/host/host_random.h"

namespace patterns {

using host::Random;

/// `size` bytes of zeroes that no other object had before, at a page's begin, from an allocator that LB-HM manages if
/// it is there. They stay until the program ends: addresses that come back would find their old lines in caches.
void* fresh_pages(std::size_t size);

struct Object {
  const char* name;
  const char* pattern;  ///< by the source: stream, strided, stencil or random
  void* data;
  std::size_t bytes;
};

class Input {
 public:
  /// Adds an object of `count` elements, each of them made by `element(i)`.
  template <class T, class Element>
  T* add(const char* name, const char* pattern, std::size_t count, const Element& element) {
    T* const data = static_cast<T*>(fresh_pages(count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i) data[i] = element(i);
    objects.push_back({name, pattern, data, count * sizeof(T)});
    return data;
  }
  /// An object of zeroes.
  template <class T>
  T* add(const char* name, const char* pattern, std::size_t count) {
    return add<T>(name, pattern, count, [](std::size_t) { return T{}; });
  }

  std::vector<Object> objects;
  std::function<double()> run;  ///< one parallel region; returns a number that depends on all of its work
};

struct Entry {
  const char* name;
  Input (*make)(std::size_t bytes);  ///< of the main object, the first one, about
};

// One table a theme.
std::span<const Entry> stream_kernels();
std::span<const Entry> strided_kernels();
std::span<const Entry> stencil_kernels();
std::span<const Entry> random_kernels();
std::span<const Entry> superlinear_kernels();

}  // namespace patterns
