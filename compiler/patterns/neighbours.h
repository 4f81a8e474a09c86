// Rows behind a table of pointers (double**) as the rows of one matrix: neighbours in other rows make a stencil.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/patterns/classify.h"
#include "compiler/patterns/terms.h"

namespace lbhm::compiler {

/// Addresses that have been replaced, by the access's index.
using Replaced = std::vector<std::pair<std::size_t, Address>>;

/// Gives accesses to rows, whose pointers a loop reads step by step from one table, addresses as if the rows lay one
/// behind the other, "row" elements apart: for the search for stencils, whatever the distances are. Returns the
/// addresses that they had.
Replaced join_rows(std::vector<NestAccess>& accesses, const Nest& nest, Resolver& resolver, StandIns& stand_ins);

// A distance as whole steps of the loops.

class Distances {
 public:
  /// What a nest may take: wide stencils that people wrote take up to a tenth of it.
  static constexpr std::size_t most_tries = 200000;

  explicit Distances(llvm::ScalarEvolution& with, std::size_t tries = most_tries) : evolution(with), left(tries) {}

  /// Nothing if the distance is not made of whole steps, or if all tries have been taken.
  std::optional<Neighbour> in_steps(const llvm::SCEV* distance, llvm::ArrayRef<Step> steps);
  std::size_t tries_left() const { return left; }

 private:
  const Terms& terms(const llvm::SCEV* of);

  llvm::ScalarEvolution& evolution;
  std::size_t left;
  std::map<const llvm::SCEV*, Terms> known;
};

/// The other way round: bytes.
const llvm::SCEV* distance_of(const Neighbour& neighbour, llvm::ArrayRef<Step> steps, llvm::Type* type,
                              llvm::ScalarEvolution& evolution);

/// The one in the middle of the stencil: of the places written and read, and the one half way between the outermost,
/// that around which most reads have their mirror image.
Neighbour centre_of(llvm::ArrayRef<Neighbour> reads, llvm::ArrayRef<Neighbour> writes);

}  // namespace lbhm::compiler
