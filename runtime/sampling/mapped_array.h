// Memory straight from the kernel: it shares no page with anything of the program's, so it is never armed itself, and a
// signal handler may use it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <utility>

#include "runtime/sampling/direct_calls.h"

namespace lbhm::sampling {

/// Zeroed; empty if there is no memory.
template <class T>
class MappedArray {
 public:
  MappedArray() = default;
  explicit MappedArray(std::size_t count) {
    void* const at =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return;
    items_ = static_cast<T*>(at);
    count_ = count;
  }
  ~MappedArray() {
    if (items_) direct::unmap(items_, count_ * sizeof(T));  // under the lock that a pause would ask for
  }
  MappedArray(MappedArray&& other) noexcept { swap(other); }
  MappedArray& operator=(MappedArray&& other) noexcept {
    MappedArray(std::move(other)).swap(*this);
    return *this;
  }

  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }

  /// The items stay for the rest of the process.
  T* release() {
    count_ = 0;
    return std::exchange(items_, nullptr);
  }
  void swap(MappedArray& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(count_, other.count_);
  }

 private:
  T* items_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace lbhm::sampling
