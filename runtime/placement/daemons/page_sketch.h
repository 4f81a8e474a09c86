// How often pages were sampled, in fewer counters than there are pages: HybridTier's counting Bloom filter (Song et
// al., ASPLOS '25; sizes and steps as in the authors' frequency_sketch_block.hpp).
//
// A key has four counters in one block of 64 bytes; its count is the least of them, so that it can be too high when
// others share them, but never too low. Here a counter is a byte, and counts to 15 all the same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/chance.h"

namespace lbhm::placement {

class PageSketch {
 public:
  static constexpr unsigned most = 15;                 ///< a counter has four bits
  static constexpr std::size_t hashes = 4;             ///< NUM_HASH_FUNCTIONS
  static constexpr double false_positives = 0.001;     ///< FALSE_POSITIVE_PROB
  static constexpr std::size_t block = 64 * 8 / 4;     ///< counters of a cache line
  static constexpr std::size_t part = block / hashes;  ///< one hash chooses among so many

  /// For so many keys; `share` of the counters that they need. All counters are halved after `aging` samples.
  PageSketch(double keys, double share, double aging) : aging_(aging) {
    const double each = -static_cast<double>(hashes) / std::log(1 - std::pow(false_positives, 1.0 / hashes));
    const auto blocks = static_cast<std::size_t>(std::ceil(keys * each * share / block));
    counters_.resize(std::bit_ceil(std::max<std::size_t>(1, blocks)) * block);
  }

  /// So many samples of it. Returns its count.
  unsigned add(std::uint64_t key, unsigned samples) {
    for (std::uint8_t* const counter : counters_of(key))
      *counter = static_cast<std::uint8_t>(std::min(most, *counter + std::min(most, samples)));
    samples_ += samples;
    if (samples_ >= aging_) halve();
    return count(key);
  }
  unsigned count(std::uint64_t key) {
    unsigned least = most;
    for (const std::uint8_t* const counter : counters_of(key)) least = std::min<unsigned>(least, *counter);
    return least;
  }
  /// One less, for a key that has samples.
  void take_one(std::uint64_t key) {
    for (std::uint8_t* const counter : counters_of(key)) --*counter;
  }

 private:
  std::array<std::uint8_t*, hashes> counters_of(std::uint64_t key) {
    std::uint64_t hash = mix(key);
    std::uint8_t* const first = &counters_[(hash >> 32U) % (counters_.size() / block) * block];
    std::array<std::uint8_t*, hashes> found{};
    for (std::size_t i = 0; i < hashes; ++i, hash /= part) found[i] = first + i * part + hash % part;
    return found;
  }
  void halve() {
    for (std::uint8_t& counter : counters_) counter /= 2;
    samples_ /= 2;
  }

  std::vector<std::uint8_t> counters_;
  double samples_ = 0;
  double aging_;
};

}  // namespace lbhm::placement
