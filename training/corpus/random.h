// Random numbers one after the other, for data that one thread makes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "training/corpus/corpus.h"

namespace corpus {

/// The sequence of random_bits().
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(random_bits(seed, 0)) {}  // near seeds: far parts of the sequence
  std::uint64_t next() { return random_bits(seed_, count_++); }
  /// 0 to bound - 1; bound from 1 to 2^32 - 1.
  std::uint32_t below(std::size_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

}  // namespace corpus
