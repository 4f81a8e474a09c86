// Part of the door of runtime/base: what a thread keeps until it ends, without a destructor.
#pragma once

#include <cstddef>
#include <new>

namespace lbhm {

/// For thread_local variables that own memory: it is lost when the thread ends. glibc takes memory to note a
/// destructor, and ends the program if it has none.
template <class T>
class KeptByThread {
 public:
  KeptByThread() noexcept { new (storage_) T(); }
  KeptByThread(const KeptByThread&) = delete;
  KeptByThread& operator=(const KeptByThread&) = delete;
  T& operator*() { return *std::launder(reinterpret_cast<T*>(storage_)); }

 private:
  alignas(T) std::byte storage_[sizeof(T)];
};

}  // namespace lbhm
