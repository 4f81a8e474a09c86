// Direct simulation Monte Carlo of a thin gas between plates: free flight, diffuse and mirroring walls, sorting into
// cells (by counting, and in place by cycles), collisions by Bird's no-time-counter in each cell and with the nearest
// partner, a relaxation step instead of collisions, samples of moments and of the distribution of speeds.
// Source: Bird, Molecular Gas Dynamics and the Direct Simulation of Gas Flows, chapters 11 to 14; Bhatnagar, Gross,
// Krook, Phys. Rev. 94, 1954 (relaxation).
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/vec.h"

namespace {

using corpus::Vec;
using Index = std::uint32_t;
struct Molecule {
  double x, y;
  Vec v;
};

using Gas = std::vector<Molecule>;

/// Numbers of its own for each molecule or cell.
struct Dice {
  std::uint64_t seed, count = 0;
  double roll() { return corpus::random_real(seed, count++); }
  double normal() { return std::sqrt(-2 * std::log(1 - roll())) * std::cos(2 * std::numbers::pi * roll()); }
};

/// Square cells of length 1.
struct Box {
  std::size_t side;
  std::size_t cells() const { return side * side; }
  std::size_t cell(const Molecule& m) const {
    const auto clamp = [this](double u) { return std::min(static_cast<std::size_t>(std::max(u, 0.0)), side - 1); };
    return clamp(m.y) * side + clamp(m.x);
  }
};

CORPUS_REGION void fill(const Box& box, Gas& gas, std::uint64_t seed) {
  const auto length = static_cast<double>(box.side);
#pragma omp parallel for
  for (std::size_t i = 0; i < gas.size(); ++i) {
    Dice dice{corpus::random_bits(seed, i)};
    const double x = length * dice.roll(), y = length * dice.roll() * (1 - 0.3 * x / length);
    gas[i] = {x, y, {dice.normal(), dice.normal(), dice.normal()}};
  }
}

CORPUS_REGION std::size_t fly(const Box& box, double dt, Gas& gas, std::uint64_t seed) {
  const auto length = static_cast<double>(box.side);
  std::size_t hits = 0;
#pragma omp parallel for reduction(+ : hits)
  for (std::size_t i = 0; i < gas.size(); ++i) {
    Molecule& m = gas[i];
    m.x += dt * m.v.x, m.y += dt * m.v.y;
    if (m.x < 0 || m.x > length) {  // a mirror
      m.x = m.x < 0 ? -m.x : 2 * length - m.x;
      m.v.x = -m.v.x;
    }
    if (m.y >= 0 && m.y <= length) continue;
    Dice dice{corpus::random_bits(seed, i)};  // warm and rough: the molecule forgets where it comes from
    const double out = std::sqrt(-2 * std::log(1 - dice.roll())), lift = m.y < 0 ? 1 : -1;
    m.y = std::clamp(m.y, 0.0, length);
    m.v = {dice.normal(), lift * out, dice.normal()};
    ++hits;
  }
  return hits;
}

CORPUS_REGION void find_cells(const Box& box, const Gas& gas, std::vector<Index>& cell) {
#pragma omp parallel for
  for (std::size_t i = 0; i < gas.size(); ++i) cell[i] = static_cast<Index>(box.cell(gas[i]));
}

CORPUS_REGION void count(const std::vector<Index>& cell, std::vector<Index>& begin) {
  std::fill(begin.begin(), begin.end(), 0u);
  for (const Index c : cell) ++begin[c + 1];
  for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
}

CORPUS_REGION void scatter(const Gas& gas, const std::vector<Index>& cell, std::vector<Index>& next, Gas& sorted) {
  for (std::size_t i = 0; i < gas.size(); ++i) sorted[next[cell[i]]++] = gas[i];
}

/// In place: what is in the way of a molecule takes its turn, until a cycle is closed.
CORPUS_REGION void sort_in_place(const std::vector<Index>& begin, std::vector<Index>& next, std::vector<Index>& cell,
                                 Gas& gas) {
  for (std::size_t c = 0; c + 1 < begin.size(); ++c)
    while (next[c] < begin[c + 1]) {
      const Index here = next[c], wanted = cell[here];
      if (wanted == c) {
        ++next[c];
        continue;
      }
      const Index there = next[wanted]++;
      std::swap(gas[here], gas[there]);
      std::swap(cell[here], cell[there]);
    }
}

/// Is every molecule where the list of cells says?
CORPUS_REGION std::size_t misplaced(const Box& box, const Gas& gas, const std::vector<Index>& begin) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t c = 0; c < box.cells(); ++c)
    for (Index i = begin[c]; i < begin[c + 1]; ++i) wrong += box.cell(gas[i]) != c;
  return wrong;
}

/// Hard spheres: the relative velocity gets a random direction.
void collide(Molecule& a, Molecule& b, Dice& dice) {
  const Vec mean = 0.5 * (a.v + b.v), relative = a.v - b.v;
  const double speed = std::sqrt(dot(relative, relative)), up = 2 * dice.roll() - 1;
  const double angle = 2 * std::numbers::pi * dice.roll(), flat = std::sqrt(1 - up * up);
  const Vec turned{speed * flat * std::cos(angle), speed * flat * std::sin(angle), speed * up};
  a.v = mean + 0.5 * turned, b.v = mean - 0.5 * turned;
}

/// As many candidates as the fastest pair would need; a pair is taken by its speed.
CORPUS_REGION std::size_t collide_by_counter(const std::vector<Index>& begin, double dt, Gas& gas,
                                             std::vector<float>& fastest, std::uint64_t seed) {
  std::size_t collisions = 0;
#pragma omp parallel for reduction(+ : collisions) schedule(dynamic, 32)
  for (std::size_t c = 0; c < fastest.size(); ++c) {
    Dice dice{corpus::random_bits(seed, c)};
    const Index first = begin[c], n = begin[c + 1] - first;
    if (n < 2) continue;
    const auto pick = [&] { return first + std::min(static_cast<Index>(dice.roll() * n), n - 1); };
    const double pairs = 0.5 * n * (n - 1) * 0.1 * static_cast<double>(fastest[c]) * dt;
    for (auto left = static_cast<int>(pairs + dice.roll()); left > 0; --left) {
      Molecule &a = gas[pick()], &b = gas[pick()];
      const Vec d = a.v - b.v;
      const double speed = std::sqrt(dot(d, d));
      fastest[c] = std::max(fastest[c], static_cast<float>(speed));
      if (speed <= dice.roll() * static_cast<double>(fastest[c])) continue;
      collide(a, b, dice);
      ++collisions;
    }
  }
  return collisions;
}

/// Each second molecule collides with the nearest of the others in its cell: all of them are looked at.
CORPUS_REGION double collide_with_nearest(const std::vector<Index>& begin, Gas& gas, std::uint64_t seed) {
  double far = 0;
#pragma omp parallel for reduction(+ : far)
  for (std::size_t c = 0; c < begin.size() - 1; ++c)
    for (Index i = begin[c]; i + 1 < begin[c + 1]; i += 2) {
      Index best = i + 1;
      double least = 1e9;
      for (Index j = begin[c]; j < begin[c + 1]; ++j) {
        const double square = std::pow(gas[i].x - gas[j].x, 2.0) + std::pow(gas[i].y - gas[j].y, 2.0);
        if (j != i && square < least) best = j, least = square;
      }
      Dice dice{corpus::random_bits(seed, i)};
      collide(gas[i], gas[best], dice);
      far += std::sqrt(least);
    }
  return far;
}

/// Of each cell: how many, mean velocity, temperature.
struct Moments {
  double number;
  Vec mean;
  double temperature;
};

CORPUS_REGION void sample(const Gas& gas, const std::vector<Index>& begin, std::vector<Moments>& moments) {
#pragma omp parallel for schedule(static, 16)
  for (std::size_t c = 0; c < moments.size(); ++c) {
    Vec sum{};
    double squares = 0;
    for (Index i = begin[c]; i < begin[c + 1]; ++i) sum = sum + gas[i].v, squares += dot(gas[i].v, gas[i].v);
    const double n = std::max(begin[c + 1] - begin[c], 1u);
    moments[c] = {n, 1 / n * sum, (squares / n - dot(sum, sum) / (n * n)) / 3};
  }
}

/// The same from molecules in any order: scattered additions, by one lane.
CORPUS_REGION void sample_unsorted(const Gas& gas, const std::vector<Index>& cell, std::vector<Moments>& moments) {
  for (std::size_t i = 0; i < gas.size(); ++i) {
    Moments& m = moments[cell[i]];
    m.number += 1, m.mean = m.mean + gas[i].v, m.temperature += dot(gas[i].v, gas[i].v);
  }
}

/// Some molecules are drawn anew from the equilibrium of their cell, and the cell's mean is put right.
CORPUS_REGION void relax(const std::vector<Index>& cell, const std::vector<Moments>& moments, double share, Gas& gas,
                         std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < gas.size(); ++i) {
    Dice dice{corpus::random_bits(seed, i)};
    if (dice.roll() > share) continue;
    const Moments& m = moments[cell[i]];
    gas[i].v = m.mean + std::sqrt(std::max(m.temperature, 0.0)) * Vec{dice.normal(), dice.normal(), dice.normal()};
  }
}

CORPUS_REGION void histogram(const Gas& gas, std::array<std::uint32_t, 64>& speeds) {
  std::uint32_t* number = speeds.data();
#pragma omp parallel for reduction(+ : number[ : 64])
  for (std::size_t i = 0; i < gas.size(); ++i)
    ++number[std::min<std::size_t>(static_cast<std::size_t>(8 * std::sqrt(dot(gas[i].v, gas[i].v))), 63)];
}

CORPUS_REGION double energy(const Gas& gas) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < gas.size(); ++i) sum += dot(gas[i].v, gas[i].v);
  return sum;
}

/// The flow of heat through a cell, from its molecules' energies against its mean.
CORPUS_REGION double heat_flow(const Gas& gas, const std::vector<Index>& cell, const std::vector<Moments>& moments) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < gas.size(); ++i) {
    const Vec d = gas[i].v - moments[cell[i]].mean;
    sum += d.y * dot(d, d);
  }
  return sum;
}

double difference(const std::vector<Moments>& a, const std::vector<Moments>& sums) {
  double most = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    if (sums[c].number > 0) most = std::max(most, std::fabs(a[c].mean.x - sums[c].mean.x / sums[c].number));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  const Box box{input.pick<std::size_t>(40, 56)};
  Gas gas(14 * box.cells()), sorted(gas.size());
  std::vector<Index> cell(gas.size()), begin(box.cells() + 1), next(begin.size());
  std::vector<float> fastest(box.cells(), 5.0f);
  std::vector<Moments> moments(box.cells()), sums(box.cells());
  fill(box, gas, input.seed);
  std::size_t hits = fly(box, 0.3, gas, input.seed + 1);
  find_cells(box, gas, cell);
  sample_unsorted(gas, cell, sums);
  count(cell, begin);
  next = begin;
  scatter(gas, cell, next, sorted);
  sample(sorted, begin, moments);
  const double apart = difference(moments, sums), before = energy(sorted);
  std::size_t wrong = misplaced(box, sorted, begin);
  const std::size_t collisions = collide_by_counter(begin, 0.3, sorted, fastest, input.seed + 2);
  const double far = collide_with_nearest(begin, sorted, input.seed + 3), kept = energy(sorted) / before - 1;

  hits += fly(box, 0.3, sorted, input.seed + 4);
  find_cells(box, sorted, cell);
  count(cell, begin);
  next = begin;
  sort_in_place(begin, next, cell, sorted);
  wrong += misplaced(box, sorted, begin);
  sample(sorted, begin, moments);
  relax(cell, moments, 0.4, sorted, input.seed + 5);
  std::array<std::uint32_t, 64> speeds{};
  histogram(sorted, speeds);
  const double heat = heat_flow(sorted, cell, moments), warmth = energy(sorted) / static_cast<double>(gas.size());
  const bool right = apart < 1e-10 && std::fabs(kept) < 1e-10 && wrong == 0 && warmth > 2.8 && warmth < 3.3;
  return {.checksum = heat + warmth + far + static_cast<double>(hits + collisions + speeds[9]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
