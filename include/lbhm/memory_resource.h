// LB-HM's objects for containers of the standard library. C++17 and later; clang and gcc. Nothing to link but OpenMP.
//
//     lbhm::memory_resource memory("matrix");
//     std::pmr::vector<double> values(n, &memory);
//     std::vector<double, lbhm::allocator<double>> sums(n, memory);
//
// Each large block that a container asks for is an object of that name. Without LB-HM in the process the same program
// has its memory from plain libomp. docs/allocators.md has the traits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <vector>

#include "lbhm/omp_traits.h"

namespace lbhm {

/// Memory of an OpenMP allocator whose large blocks are objects that LB-HM may move. It must live as long as what is
/// allocated from it. May be used by several threads at once.
class memory_resource final : public std::pmr::memory_resource {
 public:
  /// `name`: of the objects, in reports. `more`: further traits, LB-HM's or OpenMP's. Throws std::invalid_argument if
  /// they are refused; then a line on standard error says which and why.
  explicit memory_resource(const char* name, std::initializer_list<omp_alloctrait_t> more = {}) {
    std::vector<omp_alloctrait_t> traits{lbhm_managed(true), lbhm_name(name)};
    traits.insert(traits.end(), more.begin(), more.end());
    handle_ = lbhm_init_allocator(omp_default_mem_space, static_cast<int>(traits.size()), traits.data());
    if (handle_ == omp_null_allocator) throw std::invalid_argument("lbhm::memory_resource: traits were refused");
  }
  memory_resource(const memory_resource&) = delete;
  memory_resource& operator=(const memory_resource&) = delete;
  ~memory_resource() override { omp_destroy_allocator(handle_); }

  /// For omp_alloc and allocate clauses.
  omp_allocator_handle_t handle() const { return handle_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const block = omp_aligned_alloc(alignment, std::max<std::size_t>(bytes, 1), handle_);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  void do_deallocate(void* block, std::size_t /*bytes*/, std::size_t /*alignment*/) override {
    omp_free(block, handle_);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  omp_allocator_handle_t handle_ = omp_null_allocator;
};

/// The same for containers that are no std::pmr ones.
template <class T>
class allocator {
 public:
  using value_type = T;

  allocator(memory_resource& memory) : memory_(&memory) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  allocator(const allocator<U>& other) : memory_(other.memory()) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(memory_->allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* block, std::size_t count) { memory_->deallocate(block, count * sizeof(T), alignof(T)); }

  memory_resource* memory() const { return memory_; }

 private:
  memory_resource* memory_;
};

template <class T, class U>
bool operator==(const allocator<T>& a, const allocator<U>& b) {
  return a.memory() == b.memory();
}
template <class T, class U>
bool operator!=(const allocator<T>& a, const allocator<U>& b) {
  return !(a == b);
}

}  // namespace lbhm
