// Exact diagonalisation of small models, independent of MPOs and of quantum numbers: the Hamiltonian acts on vectors of
// all states of the lattice, bit patterns of occupied spin orbitals.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/dmrg/lattice_model.h"

namespace dmrg {

/// The lowest energy of the model among the states with these numbers of up and down electrons or spins.
double exact_ground_state(const ModelOptions& options, int up, int down);

/// Elements between -1 and 1, the same for the same seed.
std::vector<double> random_matrix(std::size_t size, std::uint64_t seed);

}  // namespace dmrg
