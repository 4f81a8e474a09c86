// The sweep: in each octant a cell needs what its three neighbours upstream let out, so cells are done diagonal by
// diagonal (K. R. Koch, R. S. Baker, R. E. Alcouffe, Solution of the First-Order Form of Three-Dimensional Discrete
// Ordinates Equations on a Massively Parallel Machine, Trans. Am. Nucl. Soc. 65, 1992), groups side by side.
#include <algorithm>

#include "apps/sweep/ordinates.h"

namespace sweep {
namespace {

/// An octant of one sweep: from where to where it goes along each axis.
struct Octant {
  explicit Octant(int number) : number(number), mirrored{(number & 1) != 0, (number & 2) != 0, (number & 4) != 0} {}
  int number;
  bool mirrored[3];
  int place(int axis, int i, int size) const { return mirrored[axis] ? size - 1 - i : i; }
};

/// One cell in one direction: removal * flux + sum of speed * (out - in) = emitted. Diamond differences say out = 2
/// flux
/// - in; where that is negative, nothing goes out, and the balance is solved again (as SNAP's fixup does).
double flux_with_fixup(double emitted, double removal, const double (&speed)[3], const double (&in)[3],
                       double (&out)[3]) {
  bool shut[3] = {false, false, false};
  for (;;) {
    double above = emitted, below = removal;
    for (int d = 0; d < 3; ++d) {
      above += speed[d] * in[d] * (shut[d] ? 1 : 2);
      below += shut[d] ? 0 : 2 * speed[d];
    }
    const double flux = above / below;
    bool again = false;
    for (int d = 0; d < 3; ++d) {
      out[d] = shut[d] ? 0 : 2 * flux - in[d];
      if (out[d] < 0) again = shut[d] = true;
    }
    if (!again) return flux;
  }
}

/// A cell in all directions of the octant; faces hold what comes in, and then what goes out. What it adds to the scalar
/// flux.
double sweep_cell(const Problem& problem, double emitted, double removal, double rate, const double* inverse,
                  const double* before, double* after, double* face_x, double* face_y, double* face_z) {
  const Directions& directions = problem.directions;
  const double scale = problem.grid.size;  // 1 / width
  double sum = 0;
  for (int a = 0; a < problem.grid.angles; ++a) {
    const double speed[3] = {directions.x[a] * scale, directions.y[a] * scale, directions.z[a] * scale};
    const double in[3] = {face_x[a], face_y[a], face_z[a]};
    const double made = emitted + rate * before[a];
    double flux = (made + 2 * (speed[0] * in[0] + speed[1] * in[1] + speed[2] * in[2])) * inverse[a];
    double out[3] = {2 * flux - in[0], 2 * flux - in[1], 2 * flux - in[2]};
    if (std::min({out[0], out[1], out[2]}) < 0) flux = flux_with_fixup(made, removal, speed, in, out);
    after[a] = flux;
    face_x[a] = out[0];
    face_y[a] = out[1];
    face_z[a] = out[2];
    sum += flux;
  }
  return sum * directions.weight;
}

void sweep_block(const Problem& problem, const Octant& octant, const Diagonals::Block& block, int g, Fluxes& fluxes) {
  const Grid& grid = problem.grid;
  const std::size_t cells = grid.cells(), angles = static_cast<std::size_t>(grid.angles);
  const double rate = problem.physics.rate[g];
  const int y = octant.place(1, block.y, grid.size), z = octant.place(2, block.z, grid.size);
  double* of_x = &fluxes.face_x[(g * grid.faces() + grid.face(z, y)) * angles];
  for (int i = block.chunk * chunk; i < std::min(grid.size, (block.chunk + 1) * chunk); ++i) {
    const int x = octant.place(0, i, grid.size);
    const std::size_t cell = grid.cell(x, y, z), angular = ((g * octants + octant.number) * cells + cell) * angles;
    const double removal = problem.physics.total[problem.material[cell] * grid.groups + g] + rate;
    fluxes.scalar[g * cells + cell] +=
        sweep_cell(problem, fluxes.emitted[g * cells + cell], removal, rate,
                   &problem.inverse[(g * cells + cell) * angles], &fluxes.before[angular], &fluxes.after[angular], of_x,
                   &fluxes.face_y[(g * grid.faces() + grid.face(z, x)) * angles],
                   &fluxes.face_z[(g * grid.faces() + grid.face(y, x)) * angles]);
  }
}

/// What comes in (sign -1, before the octant) or goes out (1, after it) through the cube's sides in all.
void count_faces(const Problem& problem, double sign, Fluxes& fluxes) {
  const Grid& grid = problem.grid;
  const double area = grid.width() * grid.width() * problem.directions.weight;
#pragma omp for schedule(static)
  for (int g = 0; g < grid.groups; ++g) {
    double sum = 0;
    for (std::size_t face = g * grid.faces(); face < (g + 1) * grid.faces(); ++face) {
      for (int a = 0; a < grid.angles; ++a) {
        const std::size_t i = face * grid.angles + a;
        sum += problem.directions.x[a] * fluxes.face_x[i] + problem.directions.y[a] * fluxes.face_y[i] +
               problem.directions.z[a] * fluxes.face_z[i];
      }
    }
    fluxes.leakage[g] += sign * area * sum;
  }
}

void let_in(const Problem& problem, Fluxes& fluxes) {
  const std::size_t of_group = problem.grid.faces() * problem.grid.angles;
#pragma omp for schedule(static)
  for (int g = 0; g < problem.grid.groups; ++g) {
    for (Numbers* face : {&fluxes.face_x, &fluxes.face_y, &fluxes.face_z})
      std::fill_n(face->begin() + static_cast<std::ptrdiff_t>(g * of_group), of_group, problem.inflow[g]);
  }
}

}  // namespace

// The scalar flux of a cell is added up octant by octant, whichever thread does it.
void sweep_octants(const Problem& problem, Fluxes& fluxes) {
  const Diagonals& diagonals = problem.diagonals;
  const auto size = static_cast<std::ptrdiff_t>(fluxes.scalar.size());
  std::ranges::fill(fluxes.leakage, 0);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::ptrdiff_t i = 0; i < size; ++i) fluxes.scalar[i] = 0;
    for (int number = 0; number < octants; ++number) {
      const Octant octant(number);
      let_in(problem, fluxes);
      count_faces(problem, -1, fluxes);
      for (std::size_t d = 0; d + 1 < diagonals.first.size(); ++d) {
#pragma omp for collapse(2) schedule(static)
        for (int g = 0; g < problem.grid.groups; ++g) {
          for (int b = diagonals.first[d]; b < diagonals.first[d + 1]; ++b)
            sweep_block(problem, octant, diagonals.block[b], g, fluxes);
        }
      }
      count_faces(problem, 1, fluxes);
    }
  }
}

}  // namespace sweep
