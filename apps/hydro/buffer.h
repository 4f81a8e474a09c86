// Memory of this program: everything that it allocates goes through here.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace hydro {

/// `size` numbers of a plain type, not initialised, freed at the end of its life. Steps make theirs anew each time.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : data_(static_cast<T*>(std::malloc((size == 0 ? 1 : size) * sizeof(T)))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() { std::free(data_); }

  T* data() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_;
};

using Numbers = Buffer<double>;
using Indices = Buffer<int>;

}  // namespace hydro
