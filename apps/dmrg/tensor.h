// The tensor of one site of the matrix product state, block-sparse.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/common/memory.h"
#include "apps/dmrg/quantum.h"

namespace dmrg {

/// The block of one state of the site: a matrix of (states of the bond `from`) x (states of the bond `to`).
struct SiteBlock {
  std::size_t from;   ///< sector of the bond on one side
  std::size_t state;  ///< of the site
  std::size_t to;     ///< sector of the bond on the other side
  std::size_t offset;
};

/// In left form `from` is the bond left of the site, in right form the one right of it: the two directions of a sweep
/// are mirror images and share all code.
struct SiteTensor {
  /// All blocks that quantum numbers allow: to = from + state in left form, to = from - state in right form. Elements
  /// are not initialised.
  SiteTensor(const char* name, const Bond& from, const Bond& to, const std::vector<Quantum>& states, bool in_left_form);

  std::size_t find(std::size_t from, std::size_t state) const { return index_[from * states_ + state]; }
  /// The block that comes from this sector with this state, or nullptr.
  double* from(std::size_t sector, std::size_t state) const {
    const std::size_t block = find(sector, state);
    return block == none ? nullptr : memory.data() + blocks[block].offset;
  }

  bool left_form;
  std::vector<SiteBlock> blocks;
  apps::Array<double> memory;

 private:
  std::size_t states_;
  std::vector<std::size_t> index_;  // of (from, state)
};

}  // namespace dmrg
