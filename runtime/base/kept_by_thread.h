// Part of the door of runtime/base: what a thread keeps until it ends.
#pragma once

#include <cstddef>
#include <new>

#include "runtime/base/thread_end.h"

namespace lbhm {

/// A thread_local variable that owns memory, without a destructor (ThreadEnd says why). Where the end of the thread is
/// not told, what it owns is lost.
template <class T>
class KeptByThread {
 public:
  KeptByThread() noexcept {
    new (storage_) T();
    static const ThreadEnd end([](void* kept) { (**static_cast<KeptByThread*>(kept)).~T(); });
    end.call_with(this);
  }
  KeptByThread(const KeptByThread&) = delete;
  KeptByThread& operator=(const KeptByThread&) = delete;
  T& operator*() { return *std::launder(reinterpret_cast<T*>(storage_)); }

 private:
  alignas(T) std::byte storage_[sizeof(T)];
};

}  // namespace lbhm
