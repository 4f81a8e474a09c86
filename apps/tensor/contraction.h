// Which modes are contracted, and how several indices become one number: Sparta's "large-number" representation (LN),
// section 3.2 of the paper named in contract.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/tensor/coo.h"

namespace tensor {

/// Several indices as one number, the first of them most significant.
using Key = std::uint64_t;
inline constexpr Key no_key = ~Key{0};

/// Numbers, from 0, of the modes of X and Y over which is summed: x[i] goes with y[i].
struct ContractModes {
  std::vector<unsigned> x;
  std::vector<unsigned> y;
};

/// From the coordinates of an entry to the key of some of its modes.
class KeyOf {
 public:
  /// `extents[i]` indices in mode `modes[i]`. Throws InputError if not all keys fit into 63 bits.
  KeyOf(std::span<const unsigned> modes, std::span<const Index> extents);

  Key operator()(const Index* coordinates) const {
    Key key = 0;
    for (unsigned i = 0; i < count_; ++i) key = key * extents_[i] + coordinates[modes_[i]];
    return key;
  }

 private:
  unsigned count_;
  unsigned modes_[max_order] = {};
  Key extents_[max_order] = {};
};

/// Z = sum of X * Y over the contracted modes; the modes of Z are the free ones of X, then the free ones of Y.
struct Contraction {
  KeyOf x_free;
  KeyOf x_contract;
  KeyOf y_contract;
  KeyOf y_free;
};

/// Throws InputError if the modes do not fit the tensors: a mode that is not there, or twice, or not equally many.
Contraction make_contraction(std::span<const Index> x_shape, std::span<const Index> y_shape,
                             const ContractModes& modes);

}  // namespace tensor
