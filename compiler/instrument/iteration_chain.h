// How long the iterations of a loop wait for one another.
#pragma once

#include <cstdint>

#include "llvm/Analysis/LoopInfo.h"

namespace lbhm::compiler {

class CostModel;

/// The chain of dependent operations from one iteration of a loop to the next that takes the longest.
struct Chain {
  std::uint64_t cycles = 0;     ///< an iteration
  std::uint64_t additions = 0;  ///< of floating-point numbers among them, addition_latency cycles each
  /// The loop around it hands the result on from one of its own iterations to the next, too (a sum over two loops), so
  /// that two runs of the loop do not overlap.
  bool goes_on = false;
};

/// Chains through values; those through memory are not seen.
Chain longest_chain(const llvm::Loop& loop, const CostModel& model);

}  // namespace lbhm::compiler
