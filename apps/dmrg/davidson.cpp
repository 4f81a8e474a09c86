#include "apps/dmrg/davidson.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "apps/dmrg/dense_matrix.h"

namespace dmrg {
namespace {

/// What every thread does, each for the blocks that it owns. The small problem in the basis is solved by each of them.
class Solver {
 public:
  Solver(const EffectiveHamiltonian& hamiltonian, const DavidsonMemory& memory, Team& team)
      : hamiltonian_(hamiltonian), memory_(memory), team_(team) {}

  DavidsonResult run(std::size_t iterations) {
    normalise(memory_.vector(0));
    for (std::size_t size = 1;; ++size) {
      multiply(size - 1);
      project(size);
      if (size == iterations || !add_residual(size)) break;
    }
    combine(memory_.vector(0), projected_.size(), [](const double* basis, const double*) { return *basis; });
    return {lowest_.value, projected_.size()};
  }

 private:
  void multiply(std::size_t number) {
    team_.barrier();  // all parts of the vector are there
    team_.each([&](std::size_t owner) {
      hamiltonian_.multiply(owner, memory_.vector(number), memory_.image(number), memory_.scratch[owner].data());
    });
  }

  /// Adds the last vector to the problem in the basis, and solves that.
  void project(std::size_t size) {
    std::vector<double>& row = projected_.emplace_back();
    for (std::size_t i = 0; i < size; ++i) row.push_back(team_.dot(memory_.vector(i), memory_.image(size - 1)));
    std::vector<double> matrix(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) matrix[i * size + j] = matrix[j * size + i] = projected_[i][j];
    }
    lowest_ = lowest_eigenpair(size, matrix);
  }

  /// target = sum over the basis of lowest[i] * element(basis, image).
  template <class Element>
  void combine(const Parts& target, std::size_t size, Element element) {
    team_.each([&](std::size_t owner) {
      const std::size_t length = memory_.sizes[owner];
      const double* const basis = memory_.basis[owner].data();
      const double* const images = memory_.images[owner].data();
      for (std::size_t e = 0; e < length; ++e) {
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i)
          sum += lowest_.vector[i] * element(basis + i * length + e, images + i * length + e);
        target[owner][e] = sum;
      }
    });
  }

  /// The residual, orthogonal to the basis (twice, against rounding), becomes the next vector. False: it is too small.
  bool add_residual(std::size_t size) {
    const Parts next = memory_.vector(size);
    combine(next, size, [this](const double* basis, const double* image) { return *image - lowest_.value * *basis; });
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < size; ++i)
        team_.add_scaled(-team_.dot(memory_.vector(i), next), memory_.vector(i), next);
    }
    return normalise(next);
  }

  bool normalise(const Parts& vector) {
    const double norm = std::sqrt(team_.dot(vector, vector));
    if (norm < residual_goal) return false;
    team_.scale(1 / norm, vector);
    return true;
  }

  const EffectiveHamiltonian& hamiltonian_;
  const DavidsonMemory& memory_;
  Team& team_;
  std::vector<std::vector<double>> projected_;  // lower triangle
  Eigenpair lowest_{};
};

std::vector<apps::Array<double>> make_arrays(const char* name, std::span<const std::size_t> sizes, std::size_t count) {
  std::vector<apps::Array<double>> arrays;
  arrays.reserve(sizes.size());
  for (std::size_t owner = 0; owner < sizes.size(); ++owner) {
    arrays.emplace_back(name + ("[" + std::to_string(owner) + "]"), sizes[owner] * count);
  }
  return arrays;
}

/// first * second^T for one owner's blocks: the wave function that the last step left, as seen from this pair.
void make_guess(const PairLayout& layout, const Pair& pair, std::size_t owner, const DavidsonMemory& memory) {
  std::vector<double> transposed;
  for (const PairBlock& block : layout.blocks) {
    if (block.owner != owner) continue;
    double* const target = memory.vector(0)[owner] + block.offset;
    std::fill_n(target, block.size, 0.0);
    const std::size_t middle = find_sector(pair.middle, pair.left[block.left].quantum + pair.states[block.first]);
    if (middle == none) continue;
    const std::size_t inner = pair.middle[middle].dimension;
    const std::size_t rows = pair.left[block.left].dimension;
    const std::size_t columns = pair.right[block.right].dimension;
    transposed.resize(inner * columns);
    transpose(columns, inner, pair.second.from(block.right, block.second), transposed.data());
    multiply_add(rows, columns, inner, pair.first.from(block.left, block.first), transposed.data(), target);
  }
}

}  // namespace

DavidsonMemory::DavidsonMemory(const PairLayout& layout, std::span<const std::size_t> scratch_sizes,
                               std::size_t iterations)
    : sizes(layout.sizes),
      basis(make_arrays("basis", sizes, iterations)),
      images(make_arrays("images", sizes, iterations)),
      scratch(make_arrays("scratch", scratch_sizes, 1)) {}

Parts DavidsonMemory::parts(const std::vector<apps::Array<double>>& arrays, std::size_t number) const {
  Parts result;
  for (std::size_t owner = 0; owner < arrays.size(); ++owner) {
    result.push_back(arrays[owner].data() + number * sizes[owner]);
  }
  return result;
}

DavidsonResult davidson(const EffectiveHamiltonian& hamiltonian, const PairLayout& layout, const Pair& pair,
                        std::size_t iterations, const DavidsonMemory& memory, PartialSums& partial) {
  Team team(layout, partial);
  team.each([&](std::size_t owner) { make_guess(layout, pair, owner, memory); });
  return Solver(hamiltonian, memory, team).run(iterations);
}

}  // namespace dmrg
