// Numbers that look like chance and are the same in every run.
#pragma once

#include <cstdint>

namespace lbhm {

/// The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA '14). 0
/// stays 0.
constexpr std::uint64_t finalised(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
  return z ^ (z >> 31U);
}

/// A step of splitmix64 from this state.
constexpr std::uint64_t mix(std::uint64_t z) { return finalised(z + 0x9e3779b97f4a7c15); }

/// Which pages chance puts into the fastest tier (MachineMemory::scatter).
class Scatter {
 public:
  Scatter() = default;
  Scatter(double share, std::uint64_t seed) : share_(share), seed_(seed) {}

  /// The n-th page of a sequence, such as those that a core is the first to touch. Addresses differ from run to run;
  /// these numbers do not, and hardly from one share to another.
  bool is_fast(std::uint64_t sequence, std::uint64_t n) const {
    return static_cast<double>(mix(mix(mix(seed_) + sequence) + n) >> 11U) * 0x1p-53 < share_;
  }

 private:
  double share_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace lbhm
