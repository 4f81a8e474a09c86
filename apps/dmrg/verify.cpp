#include "apps/dmrg/verify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "apps/dmrg/exact.h"
#include "apps/dmrg/gemm.h"

namespace dmrg {
namespace {

/// For every channel, matrices of (bra, ket) states of a bond by their sectors.
using Transfer = std::vector<std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>>;

/// The matrices of a site, (left states) x (right states) whatever its form: by (left sector, state).
struct SiteMatrix {
  std::size_t right;
  std::vector<double> values;
};
using SiteMatrices = std::map<std::pair<std::size_t, std::size_t>, SiteMatrix>;

SiteMatrices matrices_of(const Chain& chain, std::size_t number) {
  const SiteTensor& site = chain.site(number);
  const Bond& left = chain.bond(number);
  const Bond& right = chain.bond(number + 1);
  SiteMatrices matrices;
  for (const SiteBlock& block : site.blocks) {
    const std::size_t l = site.left_form ? block.from : block.to;
    const std::size_t r = site.left_form ? block.to : block.from;
    const std::size_t rows = left[l].dimension;
    const std::size_t columns = right[r].dimension;
    const double* const data = site.memory.data() + block.offset;
    SiteMatrix& matrix = matrices[{l, block.state}];
    matrix = {r, std::vector<double>(data, data + rows * columns)};
    if (!site.left_form) transpose(columns, rows, data, matrix.values.data());
  }
  return matrices;
}

/// One site further: the sum over MPO elements of A(bra)^T * transfer * A(ket).
Transfer advance(const Transfer& before, const Chain& chain, std::size_t number) {
  const SiteMatrices site = matrices_of(chain, number);
  const Bond& left = chain.bond(number);
  const Bond& right = chain.bond(number + 1);
  Transfer after(chain.model().channels[number + 1].size());
  for (const Element& element : chain.model().elements[number]) {
    for (const auto& [sectors, matrix] : before[element.left]) {
      const auto bra = site.find({sectors.first, element.bra});
      const auto ket = site.find({sectors.second, element.ket});
      if (bra == site.end() || ket == site.end()) continue;
      const std::size_t rows = left[sectors.first].dimension;
      const std::size_t columns = right[ket->second.right].dimension;
      std::vector<double> product(rows * columns, 0.0);
      multiply_add(rows, columns, left[sectors.second].dimension, matrix.data(), ket->second.values.data(),
                   product.data());
      for (double& p : product) p *= element.value;
      const std::size_t bra_states = right[bra->second.right].dimension;
      std::vector<double>& sum = after[element.right][{bra->second.right, ket->second.right}];
      sum.resize(bra_states * columns, 0.0);
      multiply_transposed_add(bra_states, columns, rows, bra->second.values.data(), product.data(), sum.data());
    }
  }
  return after;
}

/// A bound of the norm of H: a hopping term of one spin has norm 1, S_i * S_j at most 3/4.
double norm_bound(const ModelOptions& model) {
  const auto neighbours = static_cast<double>(neighbours_of(model).size());
  if (model.kind == Kind::heisenberg) return 0.75 * neighbours;
  return 2 * neighbours + model.interaction * static_cast<double>(model.length * model.width);
}

}  // namespace

Expectation measure_energy(const Chain& chain) {
  Transfer transfer(2);
  transfer[0][{0, 0}] = {1.0};
  for (std::size_t site = 0; site < chain.model().sites(); ++site) transfer = advance(transfer, chain, site);
  const auto value = [&](std::size_t channel) {
    const auto at = transfer[channel].find({0, 0});
    return at == transfer[channel].end() ? 0.0 : at->second[0];
  };
  return {value(1), value(0)};
}

std::string find_fault(const Chain& chain, const ModelOptions& model, double energy, double discarded) {
  const double tolerance = energy_tolerance * std::max(1.0, std::fabs(energy));
  const Expectation state = measure_energy(chain);
  if (!(std::fabs(state.norm - 1) <= energy_tolerance))
    return "the state is not normalised: " + std::to_string(state.norm);
  // Dropping the weight w turns the state by an angle with sine sqrt(w).
  const double allowed = tolerance + 4 * std::sqrt(discarded) * norm_bound(model);
  if (!(std::fabs(state.energy - energy) <= allowed)) {
    return "<psi|H|psi> is " + std::to_string(state.energy) + ", and Davidson's method said " + std::to_string(energy);
  }
  const Known known = known_energy(model);
  if (!(energy >= known.lower_bound - tolerance)) {
    return "the energy " + std::to_string(energy) + " is below the bound " + std::to_string(known.lower_bound);
  }
  return "";
}

}  // namespace dmrg
