// Is the result a ground state's energy? Answered from the matrix product state alone and from what is known exactly.
#pragma once

#include <string>

#include "apps/dmrg/chain.h"
#include "apps/dmrg/model.h"

namespace dmrg {

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
