// The plasmas of a deck's study: how many particles, and of which size, does the physics take?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/pic/deck.h"
#include "apps/pic/plasma.h"

namespace pic {

/// Plasma `i` of the study, with random particles: plasma_ppc in each cell, momenta normally distributed, and the beam,
/// a Gaussian in x and y, behind them and in random order, as WarpX's injectors make them. Particles depend on the
/// deck, `i` and `seed` alone. Throws std::bad_alloc.
Plasma make_plasma(const Deck& deck, std::size_t i, std::uint64_t seed);

/// "192 x 128 cells, 14 a cell"
std::string describe_plasma(const Deck& deck, std::size_t i);

/// The deck with `factor` times the cells, and cells of a box, in each direction at the same size of a cell, and a beam
/// that is so much longer and wider.
Deck scaled(Deck deck, unsigned factor);

}  // namespace pic
