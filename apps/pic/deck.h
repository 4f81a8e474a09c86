// The input deck: "key = value" lines, as WarpX's inputs have them. '#' begins a comment.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace pic {

/// Lengths are in c/omega_p, momenta in m c, densities in that of the background, omega_p being its plasma frequency.
struct Deck {
  std::array<unsigned, 2> n_cell{192, 144};  ///< cells of the domain in x and y
  unsigned max_grid_size = 48;               ///< cells of a box in each direction, at most
  double cell_size = 0.2;
  double cfl = 0.95;           ///< time step over the longest stable one
  unsigned steps = 3;          ///< of every plasma
  unsigned sort_interval = 0;  ///< steps from one sort by cell to the next; 0: never

  unsigned plasma_ppc = 16;   ///< particles a cell
  double plasma_u_th = 0.05;  ///< standard deviation of each component of the momentum
  unsigned beam_particles = 0;
  double beam_density = 2.0;  ///< at its centre
  double beam_rms = 3.0;      ///< in x and in y
  double beam_ux = 10.0;
  double beam_u_th = 0.1;

  /// The study: plasma i has scan_ppc[i] times the particles of background and beam, scan_refine[i] times the cells in
  /// each direction (of so much smaller size), and its beam starts at scan_beam_x[i] of the domain's length. The three
  /// lists are equally long.
  std::vector<double> scan_ppc{1.0};
  std::vector<double> scan_refine{1.0};
  std::vector<double> scan_beam_x{0.5};

  std::size_t plasmas() const { return scan_ppc.size(); }
  /// How many boxes there are in a direction: the same for all plasmas of the study.
  int boxes(std::size_t axis) const { return static_cast<int>((n_cell[axis] + max_grid_size - 1) / max_grid_size); }
  /// The cells of plasma i in a direction.
  int cells(std::size_t i, std::size_t axis) const {
    return static_cast<int>(std::lround(n_cell[axis] * scan_refine[i]));
  }
};

inline constexpr unsigned deck_max_cells = 16384;  ///< of the domain, in each direction
inline constexpr int deck_least_box = 4;           ///< cells of a box in each direction
inline constexpr std::size_t deck_max_plasmas = 1000;

/// Keys that do not occur keep the values above. Throws apps::InputError, naming `name`, the line and what may stand
/// there.
Deck read_deck(std::istream& stream, const std::string& name);
Deck read_deck_file(const std::string& path);

/// The text of a deck that comes with the program: "standard" or "small". Throws apps::InputError for other names.
std::string_view built_in_deck(std::string_view name);
Deck read_built_in_deck(std::string_view name);

}  // namespace pic
