// Ground-state energies that are known without DMRG: what results are checked against.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/dmrg/chain.h"
#include "apps/dmrg/lattice_model.h"

namespace dmrg {

/// The open Heisenberg chain of an even number of sites, by the Bethe ansatz (Alcaraz, Barber, Batchelor, Baxter,
/// Quispel, J. Phys. A 20 (1987) 6397).
double heisenberg_chain(std::size_t sites);

/// The open Hubbard chain, half filled, of an even number of sites, U > 0, by the Bethe ansatz (Schulz, J. Phys. C 18
/// (1985) 581). None if the equations did not converge.
std::optional<double> hubbard_chain(std::size_t sites, double interaction);

/// The half-filled lattice with U = 0: both spins fill the lowest half of the states of one electron.
double free_electrons(const ModelOptions& options);

/// What is known of a model's ground state in the sector of its product state.
struct Known {
  double lower_bound;  ///< the ground-state energy is not below this
  bool exact;          ///< it is equal to the bound
};

Known known_energy(const ModelOptions& options);

// Is the result a ground state's energy? Answered from the matrix product state alone and from what is known exactly.

/// <psi|H|psi> and <psi|psi>, by going through the chain once with the MPO: none of the sweeps' environments is used.
struct Expectation {
  double energy;
  double norm;
};

Expectation measure_energy(const Chain& chain);

/// Rounding in sums of this size stays far below.
inline constexpr double energy_tolerance = 1e-8;

/// Empty, or a sentence: what is wrong with `energy`, the last one of Davidson's method. `discarded` is the weight that
/// the last truncation dropped.
std::string find_fault(const Chain& chain, const ModelOptions& model, double energy, double discarded);

}  // namespace dmrg
