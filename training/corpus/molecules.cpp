// Molecular dynamics: particles sorted by cells, a list of neighbours, Lennard-Jones forces from the list and from the
// cells, steps in time, bonds; and
// direct sums over all pairs.
// Source: Allen and Tildesley, Computer Simulation of Liquids, 2nd edition, chapters 1, 3, 5; Verlet, Phys. Rev. 159,
// 1967.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

struct Vec {
  double x, y, z;
};

using Vecs = std::vector<Vec>;

struct Box {
  std::size_t side;  ///< cells in each direction, of length 1 each: the cut-off
  std::size_t cell(const Vec& p) const {
    const auto clamp = [this](double u) { return std::min(static_cast<std::size_t>(std::max(u, 0.0)), side - 1); };
    return (clamp(p.z) * side + clamp(p.y)) * side + clamp(p.x);
  }
};

CORPUS_REGION void place(Vecs& position, double side, corpus::Random& random) {
  for (Vec& p : position) p = {random.unit() * side, random.unit() * side, random.unit() * side};
}

CORPUS_REGION std::vector<std::uint32_t> count_cells(const Box& box, const Vecs& position) {
  std::vector<std::uint32_t> begin(box.side * box.side * box.side + 1);
  for (const Vec& p : position) ++begin[box.cell(p) + 1];
  for (std::size_t cell = 1; cell < begin.size(); ++cell) begin[cell] += begin[cell - 1];
  return begin;
}

CORPUS_REGION void sort_by_cell(const Box& box, const Vecs& position, std::vector<std::uint32_t> next, Vecs& sorted) {
  for (const Vec& p : position) sorted[next[box.cell(p)]++] = p;
}

double square_distance(const Vec& a, const Vec& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

/// Calls use(j) for the particles of the 27 cells around.
template <class Use>
void around(const Box& box, const std::vector<std::uint32_t>& begin, std::size_t cell, Use use) {
  const std::size_t x = cell % box.side, y = cell / box.side % box.side, z = cell / box.side / box.side;
  for (std::size_t w = z > 0 ? z - 1 : 0; w <= std::min(z + 1, box.side - 1); ++w)
    for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, box.side - 1); ++v) {
      const std::size_t row = (w * box.side + v) * box.side;
      const std::uint32_t to = begin[row + std::min(x + 1, box.side - 1) + 1];
      for (std::uint32_t j = begin[row + (x > 0 ? x - 1 : 0)]; j < to; ++j) use(j);
    }
}

constexpr std::size_t most = 32;  ///< neighbours that are listed

CORPUS_REGION void list_neighbours(const Box& box, const std::vector<std::uint32_t>& begin, const Vecs& position,
                                   std::vector<std::uint32_t>& list, std::vector<std::uint32_t>& count) {
#pragma omp parallel for schedule(dynamic, 128)
  for (std::size_t i = 0; i < position.size(); ++i) {
    std::uint32_t found = 0;
    around(box, begin, box.cell(position[i]), [&](std::uint32_t j) {
      if (j != i && found < most && square_distance(position[i], position[j]) < 1) list[i * most + found++] = j;
    });
    count[i] = found;
  }
}

void add_force(const Vec& a, const Vec& b, Vec& force) {
  const double inverse = 0.1 / (square_distance(a, b) + 0.05), cube = inverse * inverse * inverse;
  const double strength = cube * (cube - 0.5) * inverse;
  force.x += strength * (a.x - b.x), force.y += strength * (a.y - b.y), force.z += strength * (a.z - b.z);
}

CORPUS_REGION void forces_by_list(const Vecs& position, const std::vector<std::uint32_t>& list,
                                  const std::vector<std::uint32_t>& count, Vecs& force) {
#pragma omp parallel for
  for (std::size_t i = 0; i < position.size(); ++i) {
    Vec sum{};
    for (std::uint32_t k = 0; k < count[i]; ++k) add_force(position[i], position[list[i * most + k]], sum);
    force[i] = sum;
  }
}

CORPUS_REGION void forces_by_cells(const Box& box, const std::vector<std::uint32_t>& begin, const Vecs& position,
                                   Vecs& force) {
#pragma omp parallel for schedule(dynamic, 32)
  for (std::size_t cell = 0; cell < begin.size() - 1; ++cell)
    for (std::uint32_t i = begin[cell]; i < begin[cell + 1]; ++i) {
      Vec sum{};
      around(box, begin, cell, [&](std::uint32_t j) {
        if (j != i && square_distance(position[i], position[j]) < 1) add_force(position[i], position[j], sum);
      });
      force[i] = sum;
    }
}

CORPUS_REGION void move(Vecs& position, Vecs& velocity, const Vecs& force, double side) {
  const auto reflect = [side](double& x, double& v) {
    if (x < 0 || x > side) v = -v;
    x = std::clamp(x, 0.0, side);
  };
#pragma omp parallel for
  for (std::size_t i = 0; i < position.size(); ++i) {
    Vec &p = position[i], &v = velocity[i];
    const Vec& f = force[i];
    v = {v.x + 1e-3 * f.x, v.y + 1e-3 * f.y, v.z + 1e-3 * f.z};
    p = {p.x + 0.01 * v.x, p.y + 0.01 * v.y, p.z + 0.01 * v.z};
    reflect(p.x, v.x), reflect(p.y, v.y), reflect(p.z, v.z);
  }
}

struct Bond {
  std::uint32_t a, b;
  float length;
};

/// Both ends are added to: scatters at random places.
CORPUS_REGION double pull_bonds(const std::vector<Bond>& bonds, const Vecs& position, Vecs& force) {
  double energy = 0;
  for (const Bond& bond : bonds) {
    const Vec &a = position[bond.a], &b = position[bond.b];
    const double far = std::sqrt(square_distance(a, b)) + 1e-9, pull = (far - static_cast<double>(bond.length)) / far;
    const Vec f{pull * (b.x - a.x), pull * (b.y - a.y), pull * (b.z - a.z)};
    force[bond.a].x += f.x, force[bond.a].y += f.y, force[bond.a].z += f.z;
    force[bond.b].x -= f.x, force[bond.b].y -= f.y, force[bond.b].z -= f.z;
    energy += pull * pull;
  }
  return energy;
}

CORPUS_REGION double kinetic(const Vecs& velocity) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    const Vec& v = velocity[i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z;
  }
  return sum;
}

/// Gravity of all on some: a stream for each of them, bound by arithmetic.
CORPUS_REGION void direct_sum(const Vecs& position, std::size_t step, std::vector<double>& potential) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t i = 0; i < position.size(); i += step) {
    double sum = 0;
    for (std::size_t j = 0; j < position.size(); ++j)
      sum += 1 / std::sqrt(square_distance(position[i], position[j]) + 0.01);
    potential[i] = sum;
  }
}

CORPUS_REGION double largest_difference(const Vecs& a, const Vecs& b, const std::vector<std::uint32_t>& count) {
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (std::size_t i = 0; i < a.size(); ++i)
    if (count[i] < most) worst = std::max(worst, square_distance(a[i], b[i]) / (1 + square_distance(a[i], Vec{})));
  return worst;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Box box{input.pick<std::size_t>(13, 17)};
  const auto side = static_cast<double>(box.side);
  Vecs start(box.side * box.side * box.side * 4), position(start.size()), force(start.size()), other(start.size());
  Vecs velocity(start.size(), Vec{0.1, 0.2, -0.1});
  place(start, side, random);
  const std::vector<std::uint32_t> begin = count_cells(box, start);
  sort_by_cell(box, start, begin, position);
  std::vector<std::uint32_t> list(most * position.size()), count(position.size());
  list_neighbours(box, begin, position, list, count);
  forces_by_list(position, list, count, force);
  forces_by_cells(box, begin, position, other);
  const bool right = largest_difference(force, other, count) < 1e-12;
  std::vector<Bond> bonds(position.size());
  for (Bond& bond : bonds) {
    const std::uint32_t a = random.below(position.size()), away = 1 + random.below(position.size() - 1);
    bond = {a, static_cast<std::uint32_t>((a + away) % position.size()), 0.3f};
  }
  const double stretched = pull_bonds(bonds, position, force);
  move(position, velocity, force, side);
  std::vector<double> potential(position.size());
  direct_sum(position, position.size() / 24, potential);
  return {.checksum = stretched + kinetic(velocity) + potential[0], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
