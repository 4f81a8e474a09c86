// The state of a DMRG calculation: the matrix product state, and the environments of every bond. Like ITensor's it
// keeps one environment for each bond, of the side that the sweep has left behind or has before it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/dmrg/bond.h"
#include "apps/dmrg/effective.h"
#include "apps/dmrg/lattice_model.h"
#include "apps/dmrg/split.h"

namespace dmrg {

/// One optimisation of the sites `pair` and `pair` + 1.
struct Step {
  std::size_t pair;
  bool to_right;  ///< the direction in which the next step lies
  std::size_t iterations;
  Truncation truncation;
};

struct StepResult {
  double energy;
  double discarded;
  std::size_t dimension;          ///< of the bond between the two sites, afterwards
  std::size_t sectors;            ///< of that bond
  std::vector<std::size_t> work;  ///< of each thread: elements of its part of the wave function
  std::size_t bytes;              ///< of the objects of this step
};

/// Called with the objects of a step when they are allocated, before the first parallel region of the step.
using Planner = std::function<void(std::span<const apps::Block* const>)>;

class Chain {
 public:
  /// Starts from the model's product state.
  Chain(Model model, std::size_t threads);

  /// In one parallel region: S1, the environment that the last step has left to do; S2, Davidson's method; S3, singular
  /// value decompositions (Merchandiser, Figure 1a).
  StepResult optimise(const Step& step, const Planner& plan);

  const Model& model() const { return model_; }
  const Bond& bond(std::size_t number) const { return bonds_[number]; }
  const SiteTensor& site(std::size_t number) const { return *sites_[number]; }

 private:
  void start_from_product_state();
  void make_left(std::size_t bond);
  void make_right(std::size_t bond);
  void forget(const Step& step);

  Model model_;
  std::size_t threads_;
  std::vector<Bond> bonds_;                               // sites + 1
  std::vector<std::optional<SiteTensor>> sites_;          // left form left of the centre, right form right of it
  std::vector<std::optional<Environment>> left_, right_;  // of each bond
};

/// The pairs of one sweep, there and back. The first sweep of a calculation begins with pair 0, the others, which begin
/// where the last one turned round, with pair 1.
std::vector<Step> make_sweep(std::size_t sites, bool first, std::size_t iterations, const Truncation& truncation);

}  // namespace dmrg
