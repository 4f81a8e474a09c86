#include "tests/apps/dmrg_reference.h"

#include <bit>
#include <cstdint>
#include <map>
#include <random>

#include "apps/common/random_graphs.h"
#include "apps/dmrg/dense_matrix.h"

namespace dmrg {
namespace {

/// Up electrons (or spins) in the low half of the bits, down electrons in the high half.
struct Basis {
  std::vector<std::uint32_t> states;
  std::map<std::uint32_t, std::size_t> index;
};

Basis make_basis(bool electrons, std::size_t sites, int up, int down) {
  Basis basis;
  const std::uint32_t low = (1U << sites) - 1;
  for (std::uint32_t state = 0; state < (1U << (electrons ? 2 * sites : sites)); ++state) {
    if (std::popcount(state & low) != up || (electrons && std::popcount(state >> sites) != down)) continue;
    basis.index[state] = basis.states.size();
    basis.states.push_back(state);
  }
  return basis;
}

/// The sign of moving an electron between orbitals i and j: one for every electron between them.
double sign_of(std::uint32_t state, std::size_t i, std::size_t j) {
  const std::uint32_t between = ((1U << std::max(i, j)) - 1) & ~((1U << (std::min(i, j) + 1)) - 1);
  return std::popcount(state & between) % 2 == 0 ? 1 : -1;
}

}  // namespace

double exact_ground_state(const ModelOptions& options, int up, int down) {
  const bool electrons = options.kind == Kind::hubbard;
  const std::size_t sites = options.length * options.width;
  const Basis basis = make_basis(electrons, sites, up, down);
  const std::size_t size = basis.states.size();
  std::vector<double> h(size * size, 0.0);
  for (std::size_t column = 0; column < size; ++column) {
    const std::uint32_t state = basis.states[column];
    const auto flip = [&](std::size_t i, std::size_t j, double value) {  // one electron or spin moves
      if (((state >> i) & 1U) == ((state >> j) & 1U)) return;
      h[column * size + basis.index.at(state ^ (1U << i) ^ (1U << j))] += value;
    };
    for (const auto& [i, j] : neighbours_of(options)) {
      if (electrons) {
        flip(i, j, -sign_of(state, i, j));
        flip(i + sites, j + sites, -sign_of(state, i + sites, j + sites));
      } else {
        flip(i, j, 0.5);
        h[column * size + column] += ((state >> i) & 1U) == ((state >> j) & 1U) ? 0.25 : -0.25;
      }
    }
    if (electrons) {
      h[column * size + column] += options.interaction * std::popcount(state & (state >> sites) & ((1U << sites) - 1));
    }
  }
  return lowest_eigenpair(size, h).value;
}

std::vector<double> random_matrix(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> m(size);
  for (double& element : m) element = 2 * apps::draw_unit(random) - 1;
  return m;
}

}  // namespace dmrg
