// Conserved quantum numbers, and the sectors that they cut a bond of the chain into.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dmrg {

/// Two U(1) charges. Heisenberg: 2 Sz and nothing; Hubbard: electrons with spin up and electrons with spin down.
struct Quantum {
  int first = 0;
  int second = 0;
  auto operator<=>(const Quantum&) const = default;
  Quantum operator+(const Quantum& other) const { return {first + other.first, second + other.second}; }
  Quantum operator-(const Quantum& other) const { return {first - other.first, second - other.second}; }
};

/// The states of a bond with one quantum number.
struct Sector {
  Quantum quantum;
  std::size_t dimension;
};

/// Where there is no such sector or block.
inline constexpr std::size_t none = static_cast<std::size_t>(-1);

/// A bond: its sectors in ascending order of quantum numbers.
using Bond = std::vector<Sector>;

/// The sector with this quantum number, or `none`.
std::size_t find_sector(const Bond& bond, const Quantum& quantum);
/// The sum of all dimensions: what is called the bond dimension.
std::size_t dimension_of(const Bond& bond);

/// Sectors are dealt out to the threads in turn, the same way for every bond: how much work a thread gets follows from
/// how large its sectors happen to be (block-cyclic, as distributed block-sparse DMRG codes do it: Levy, Solomonik,
/// Clark, SC 2020, section IV).
constexpr std::size_t owner_of(std::size_t sector, std::size_t threads) { return sector % threads; }

}  // namespace dmrg
