// The limit of an allocator: trait pool_size.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace lbhm::allocators {

/// What libomp counts for a block: its descriptor of 40 bytes and the alignment (8 or more) are part of the pool, so
/// that two blocks of 1 MiB do not fit into a pool of 2 MiB. Saturates: a charge of 2^64-1 fits nowhere.
constexpr std::uint64_t pool_charge(std::uint64_t bytes, std::uint64_t alignment) {
  constexpr std::uint64_t descriptor = 40;
  std::uint64_t charge = 0;
  if (__builtin_add_overflow(bytes, descriptor, &charge)) return UINT64_MAX;
  if (__builtin_add_overflow(charge, std::max<std::uint64_t>(alignment, 8), &charge)) return UINT64_MAX;
  return charge;
}

/// Bytes of a pool in use. Exact under concurrency: a request that does not fit is never seen by the others.
class Pool {
 public:
  /// A limit of 0 means no limit.
  void reset(std::uint64_t limit) {
    limit_ = limit;
    used_.store(0, std::memory_order_relaxed);
  }
  bool limited() const { return limit_ != 0; }

  bool take(std::uint64_t charge) {
    if (!limited()) return true;
    auto used = used_.load(std::memory_order_relaxed);
    do {
      if (used > limit_ || charge > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + charge, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::uint64_t charge) {
    if (limited()) used_.fetch_sub(charge, std::memory_order_relaxed);
  }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t limit_ = 0;
  std::atomic<std::uint64_t> used_{0};
};

}  // namespace lbhm::allocators
