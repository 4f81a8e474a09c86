// memory-mode: in which order the system gives out physical frames, which decides whose lines meet in the cache.
//
// Linux shuffles free memory for the sake of direct-mapped memory-side caches, in blocks of 4 MiB (mm/shuffle.h:
// SHUFFLE_ORDER is MAX_PAGE_ORDER; "mm: shuffle initial free memory to improve memory-side-cache utilization", 5.2). In
// front of Optane those are 49,152 blocks for a cache of 192 GB (Merchandiser, section 7): where a program's data lie
// in it is chance, block by block. Here fast memory has 100 to 100,000 frames in all. So many blocks as there are
// frames is as near as one comes to that: every frame is a block.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "runtime/base/chance.h"

namespace lbhm::emulator {

/// A permutation of [0, count), the same in every run: a Feistel network of four rounds over the next power of four,
/// gone through again for what falls outside (J. Black, P. Rogaway: Ciphers with Arbitrary Finite Domains, CT-RSA
/// 2002).
class FrameOrder {
 public:
  FrameOrder() = default;
  explicit FrameOrder(std::uint64_t count)
      : count_(count), half_((static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(count, 2) - 1)) + 1) / 2) {}

  /// `n` below count.
  std::uint64_t nth(std::uint64_t n) const {
    do n = once(n);
    while (n >= count_);
    return n;
  }

 private:
  std::uint64_t once(std::uint64_t n) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = n >> half_, right = n & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mix(right + (round << 32U)) & mask);
      left = right;
      right = next;
    }
    return left << half_ | right;
  }

  std::uint64_t count_ = 1;
  unsigned half_ = 1;  // bits of each half
};

}  // namespace lbhm::emulator
