// One number for a result, the same on every machine and under every policy.
#pragma once

#include <cstdint>

namespace apps {

/// SplitMix64's finaliser: every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Adds the checksum of the next input; the order of inputs matters.
constexpr std::uint64_t combine_checksums(std::uint64_t before, std::uint64_t next) { return mix(before) + next; }

}  // namespace apps
