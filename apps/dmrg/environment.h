// What the Hamiltonian of all sites on one side of a bond looks like from that bond.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "apps/common/memory.h"
#include "apps/dmrg/model.h"
#include "apps/dmrg/quantum.h"
#include "apps/dmrg/tensor.h"

namespace dmrg {

enum class Side : unsigned char { left, right };

/// One operator block for every MPO channel w and pair of sectors with bra = ket + charge(w). A block is a matrix of
/// bra x ket states on the left and of ket x bra states on the right (so it stands right of psi without transposing).
/// The thread that owns the row's sector has the block in its arena.
class Environment {
 public:
  /// Elements are not initialised.
  Environment(Side side, const Bond& bond, const std::vector<Quantum>& channels, std::size_t threads);

  /// The block of these sectors in this channel, or nullptr.
  double* find(std::size_t channel, std::size_t row) const {
    const Place& place = places_[channel * sectors_ + row];
    return place.column == none ? nullptr : arenas_[owner_of(row, arenas_.size())].data() + place.offset;
  }
  /// The column's sector that goes with this row in this channel, or `none`.
  std::size_t column_of(std::size_t channel, std::size_t row) const { return places_[channel * sectors_ + row].column; }
  std::size_t channels() const { return places_.size() / sectors_; }
  const std::vector<apps::Array<double>>& arenas() const { return arenas_; }

 private:
  struct Place {
    std::size_t column = none;
    std::size_t offset = 0;
  };
  std::size_t sectors_;
  std::vector<Place> places_;  // of (channel, row)
  std::vector<apps::Array<double>> arenas_;
};

/// The environment at the end of the chain: one state; nothing on the left, everything on the right.
Environment make_boundary(Side side, const Bond& bond, const std::vector<Quantum>& channels, std::size_t threads);

/// Fills `next` with `before` and one site more (Schollwoeck, Eqs. 192 to 194). All threads of a parallel region call
/// it, each fills the blocks that it owns; a barrier has to follow. `site` is in the form of this side; bonds are those
/// of `before` and `next`.
void extend(Side side, const Environment& before, const Bond& before_bond, const SiteTensor& site,
            std::span<const Element> elements, const Bond& next_bond, Environment& next);

}  // namespace dmrg
