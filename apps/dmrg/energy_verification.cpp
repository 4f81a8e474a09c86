#include "apps/dmrg/energy_verification.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "apps/dmrg/dense_matrix.h"

namespace dmrg {
namespace {

/// For every channel, matrices of (bra, ket) states of a bond by their sectors.
using Transfer = std::vector<std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>>;

constexpr int max_rounds = 100000;
constexpr double converged = 1e-15;
constexpr int max_newton_rounds = 100;
constexpr double smallest_step = 1e-6;      // of a step of Newton's method: it leads nowhere
constexpr double newton_converged = 1e-11;  // of equations whose sides are multiples of 2 pi, up to some hundreds

/// A phase shift.
double phase(double x, double width) { return 2 * std::atan(x / width); }

double largest(const std::vector<double>& f) {
  double most = 0;
  for (const double element : f) most = std::max(most, std::fabs(element));
  return most;
}

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

// 2 N phase(x_j, 1/2) = 2 pi j + sum over k != j of phase(x_j - x_k, 1) + phase(x_j + x_k, 1), j = 1 .. N/2, solved by
// repeated substitution; E = (N - 1)/4 - sum of (1/2) / (x_j^2 + 1/4).
double heisenberg_chain(std::size_t sites) {
  const auto n = static_cast<double>(sites);
  std::vector<double> x(sites / 2, 0.0);
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<double> next(x.size());
    double change = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      double sum = 2 * std::numbers::pi * static_cast<double>(j + 1);
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (k != j) sum += phase(x[j] - x[k], 1) + phase(x[j] + x[k], 1);
      }
      next[j] = 0.5 * std::tan(sum / (4 * n));
      change = std::max(change, std::fabs(next[j] - x[j]));
    }
    x = next;
    if (change < converged) break;
  }
  double energy = (n - 1) / 4;
  for (const double root : x) energy -= 0.5 / (root * root + 0.25);
  return energy;
}

namespace {

/// The equations of the open Hubbard chain, u = U/4, in N momenta k_j and N/2 spin rapidities x_a:
/// 2 (N + 1) k_j + sum over a of phase(sin k_j - x_a, u) + phase(sin k_j + x_a, u) = 2 pi j, j = 1 .. N;
/// sum over j of phase(x_a - sin k_j, u) + phase(x_a + sin k_j, u)
///   - sum over b != a of phase(x_a - x_b, 2u) + phase(x_a + x_b, 2u) = 2 pi a, a = 1 .. N/2.
struct HubbardEquations {
  std::size_t sites;
  double u;
  std::size_t size() const { return sites + sites / 2; }

  /// The left sides minus the right sides at `v` = (k, x), and their derivatives, column-major.
  void evaluate(const std::vector<double>& v, std::vector<double>& f, std::vector<double>& derivatives) const {
    f.assign(size(), 0.0);
    derivatives.assign(size() * size(), 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      f[i] = -2 * std::numbers::pi * static_cast<double>(i < sites ? i + 1 : i - sites + 1);
      if (i < sites) {
        f[i] += 2 * static_cast<double>(sites + 1) * v[i];
        derivatives[i * size() + i] = 2 * static_cast<double>(sites + 1);
      }
      for (std::size_t j = 0; j < size(); ++j) {
        const bool spins = i >= sites && j >= sites;
        if (i == j || (i < sites && j < sites)) continue;
        for (const double sign : {-1.0, 1.0})
          add_phase(v, i, j, sign, spins ? -1 : 1, spins ? 2 * u : u, f, derivatives);
      }
    }
  }

 private:
  double place(const std::vector<double>& v, std::size_t i) const { return i < sites ? std::sin(v[i]) : v[i]; }
  double slope(const std::vector<double>& v, std::size_t i) const { return i < sites ? std::cos(v[i]) : 1; }

  /// Equation i gets factor * phase(place(i) + sign * place(j), width).
  void add_phase(const std::vector<double>& v, std::size_t i, std::size_t j, double sign, double factor, double width,
                 std::vector<double>& f, std::vector<double>& derivatives) const {
    const double x = place(v, i) + sign * place(v, j);
    const double derivative = factor * 2 * width / (width * width + x * x);
    f[i] += factor * phase(x, width);
    derivatives[i * size() + i] += derivative * slope(v, i);
    derivatives[j * size() + i] += derivative * sign * slope(v, j);
  }
};

}  // namespace

// Newton's method with steps halved while they do not help, from the momenta of free electrons; E = -2 sum of cos k_j.
std::optional<double> hubbard_chain(std::size_t sites, double interaction) {
  const HubbardEquations equations{sites, interaction / 4};
  std::vector<double> v;
  const double pi = std::numbers::pi;
  const auto n = static_cast<double>(sites);
  for (std::size_t j = 1; j <= sites; ++j) v.push_back(pi * static_cast<double>(j) / (n + 1));
  for (std::size_t a = 1; a <= sites / 2; ++a) v.push_back(std::sin(pi * (static_cast<double>(a) - 0.5) / n));
  std::vector<double> f;
  std::vector<double> derivatives;
  equations.evaluate(v, f, derivatives);
  for (int round = 0; round < max_newton_rounds && largest(f) > newton_converged; ++round) {
    const double before = largest(f);
    const std::vector<double> step = solve(v.size(), derivatives, f);
    double part = 1;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= step[i];
    for (equations.evaluate(v, f, derivatives); !(largest(f) < before); equations.evaluate(v, f, derivatives)) {
      part /= 2;
      if (part < smallest_step) return std::nullopt;
      for (std::size_t i = 0; i < v.size(); ++i) v[i] += part * step[i];
    }
  }
  if (largest(f) > newton_converged) return std::nullopt;
  double energy = 0;
  for (std::size_t j = 0; j < sites; ++j) energy -= 2 * std::cos(v[j]);
  return energy;
}

double free_electrons(const ModelOptions& options) {
  const std::size_t sites = options.length * options.width;
  std::vector<double> hopping(sites * sites, 0.0);
  for (const auto& [i, j] : neighbours_of(options)) hopping[i * sites + j] = hopping[j * sites + i] = -1;
  const std::vector<double> values = eigenvalues(sites, hopping);
  // The product state has spin up on every other site: one more than down if the number of sites is odd.
  double energy = 0;
  for (std::size_t i = 0; i < (sites + 1) / 2; ++i) energy += values[i];
  for (std::size_t i = 0; i < sites / 2; ++i) energy += values[i];
  return energy;
}

Known known_energy(const ModelOptions& options) {
  const std::size_t sites = options.length * options.width;
  const bool even_chain = options.width == 1 && sites % 2 == 0;
  if (options.kind == Kind::heisenberg) {
    if (even_chain) return {heisenberg_chain(sites), true};
    // A pair of spins has at least -3/4.
    return {-0.75 * static_cast<double>(neighbours_of(options).size()), false};
  }
  if (options.interaction == 0) return {free_electrons(options), true};
  if (even_chain) {
    if (const std::optional<double> energy = hubbard_chain(sites, options.interaction)) return {*energy, true};
  }
  return {free_electrons(options), false};  // U > 0 adds a positive operator
}

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
