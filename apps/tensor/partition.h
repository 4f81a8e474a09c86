// How the sub-tensors of X are divided over the threads, and how much memory each part will need at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"

namespace tensor {

/// What one thread will work on. A sub-tensor of X: all entries with the same free indices.
struct Part {
  Key first_free = 0;  ///< smallest free key of X that belongs here; the next part's is the end
  std::size_t subtensors = 0;
  std::size_t x_nonzeros = 0;
  std::size_t y_nonzeros = 0;  ///< of the buckets of HtY that this thread fills
  std::size_t y_keys = 0;      ///< different contracted keys among them
  std::uint64_t products = 0;  ///< multiplications
  std::size_t z_bound = 0;     ///< at most so many non-zeros of Z
  std::size_t row_bound = 0;   ///< at most so many in one sub-tensor of Z
};

/// Consecutive sub-tensors, equally many for each of `count` parts: not equally much work. That is the load imbalance
/// that LB-HM is about.
std::vector<Part> make_parts(const Coo& x, const Coo& y, const Contraction& contraction, std::size_t count);

}  // namespace tensor
