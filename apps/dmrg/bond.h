// Conserved quantum numbers, and the sectors that they cut a bond of the chain into.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "apps/common/placed_memory.h"

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

// The tensor of one site of the matrix product state, block-sparse.

/// The block of one state of the site: a matrix of (states of the bond `from`) x (states of the bond `to`).
struct SiteBlock {
  std::size_t from;   ///< sector of the bond on one side
  std::size_t state;  ///< of the site
  std::size_t to;     ///< sector of the bond on the other side
  std::size_t offset;
};

/// In left form `from` is the bond left of the site, in right form the one right of it: the two directions of a sweep
/// are mirror images and share all code.
struct SiteTensor {
  /// All blocks that quantum numbers allow: to = from + state in left form, to = from - state in right form. Elements
  /// are not initialised.
  SiteTensor(const char* name, const Bond& from, const Bond& to, const std::vector<Quantum>& states, bool in_left_form);

  std::size_t find(std::size_t from, std::size_t state) const { return index_[from * states_ + state]; }
  /// The block that comes from this sector with this state, or nullptr.
  double* from(std::size_t sector, std::size_t state) const {
    const std::size_t block = find(sector, state);
    return block == none ? nullptr : memory.data() + blocks[block].offset;
  }

  bool left_form;
  std::vector<SiteBlock> blocks;
  apps::Array<double> memory;

 private:
  std::size_t states_;
  std::vector<std::size_t> index_;  // of (from, state)
};

}  // namespace dmrg
