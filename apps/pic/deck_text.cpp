// The decks that come with the program.
#include <sstream>
#include <string>

#include "apps/common/error.h"
#include "apps/common/line_reader.h"
#include "apps/pic/deck.h"

namespace pic {
namespace {

constexpr std::string_view standard =
    "# A dense relativistic electron beam crosses a plasma: a study of how many particles and cells it takes.\n"
    "n_cell = 192 144\n"
    "max_grid_size = 48         # 4 x 3 boxes\n"
    "cell_size = 0.2            # c / omega_p\n"
    "cfl = 0.95\n"
    "steps = 3\n"
    "sort_interval = 0          # never, as WarpX on processors\n"
    "plasma.ppc = 14\n"
    "plasma.u_th = 0.05         # m c\n"
    "beam.particles = 200000\n"
    "beam.density = 2           # of the background's\n"
    "beam.rms = 3               # c / omega_p\n"
    "beam.ux = 10               # m c\n"
    "beam.u_th = 0.1\n"
    "scan.ppc    = 1    2    0.5  0.5\n"
    "scan.refine = 1    1    1    1.25\n"
    "scan.beam_x = 0.25 0.4  0.55 0.8\n";

constexpr std::string_view small =
    "n_cell = 32 24\n"
    "max_grid_size = 8          # 4 x 3 boxes\n"
    "steps = 5\n"
    "sort_interval = 2\n"
    "plasma.ppc = 4\n"
    "beam.particles = 2000\n"
    "beam.rms = 0.6\n"
    "scan.ppc    = 1    2   0.5\n"
    "scan.refine = 1    1   1.5\n"
    "scan.beam_x = 0.25 0.5 0.95\n";

}  // namespace

std::string_view built_in_deck(std::string_view name) {
  if (name == "standard") return standard;
  if (name == "small") return small;
  throw apps::InputError("--built-in: " + apps::quote(name) + " is no deck of this program: standard or small.");
}

Deck read_built_in_deck(std::string_view name) {
  std::istringstream stream{std::string(built_in_deck(name))};
  return read_deck(stream, std::string(name));
}

}  // namespace pic
