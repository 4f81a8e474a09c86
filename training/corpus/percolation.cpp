// Lattices by chance and by rule: clusters of percolation by rows and by union, invasion by a heap, forests that burn,
// growth by wandering particles, automata of one line and with many states, a lattice gas, spins as angles by
// Metropolis' steps and by over-relaxation, coarse lattices.
// Source: Hoshen, Kopelman, Physical Review B 14, 1976; Newman, Ziff, Physical Review E 64, 2001; Wilkinson, Willemsen,
// J. Physics A 16, 1983; Witten, Sander, Physical Review Letters 47, 1981; Wolfram, Reviews of Modern Physics 55, 1983;
// Frisch, Hasslacher, Pomeau, Physical Review Letters 56, 1986; Creutz, Physical Review D 36, 1987.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <queue>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Site = std::uint32_t;
using Sites = std::vector<Site>;
using Cells = std::vector<std::uint8_t>;
using Words = std::vector<std::uint64_t>;
using Floats = std::vector<float>;

/// Open with the probability in percent. Borders are closed, so that nobody looks beyond.
CORPUS_REGION void open_sites(std::uint64_t seed, std::uint32_t percent, std::size_t side, Cells& cells) {
#pragma omp parallel for
  for (std::size_t y = 1; y < side - 1; ++y)
    for (std::size_t x = 1; x < side - 1; ++x)
      cells[y * side + x] = corpus::random_below(100, seed, y * side + x) < percent;
}

Site root_of(Sites& parent, Site site) {
  while (parent[site] != site) site = parent[site] = parent[parent[site]];
  return site;
}

/// Labels row by row; where two meet, the larger becomes a child of the smaller.
CORPUS_REGION void label_rows(const Cells& cells, std::size_t side, Sites& label, Sites& parent) {
  for (Site i = static_cast<Site>(side); i < cells.size(); ++i) {
    if (!cells[i]) continue;
    const Site above = label[i - side], before = label[i - 1];
    if (above == 0 && before == 0) {
      label[i] = static_cast<Site>(parent.size());
      parent.push_back(label[i]);
    } else if (above == 0 || before == 0) {
      label[i] = std::max(above, before);
    } else {
      const Site a = root_of(parent, above), b = root_of(parent, before);
      parent[std::max(a, b)] = label[i] = std::min(a, b);
    }
  }
}

CORPUS_REGION void resolve(const Sites& parent, Sites& label) {
#pragma omp parallel for
  for (std::size_t i = 0; i < label.size(); ++i)
    while (parent[label[i]] != label[i]) label[i] = parent[label[i]];
}

CORPUS_REGION void measure(const Sites& label, Sites& size) {
  for (const Site l : label) ++size[l];
  size[0] = 0;
}

/// Sites open one after the other in the order of chance; the largest cluster after each.
CORPUS_REGION Site open_one_by_one(const Sites& order, std::size_t side, std::size_t until, Cells& cells, Sites& parent,
                                   Sites& size) {
  Site largest = 0;
  for (std::size_t i = 0; i < until; ++i) {
    const Site site = order[i], width = static_cast<Site>(side);
    cells[site] = 1;
    parent[site] = site, size[site] = 1;
    for (const Site other : {site - 1, site + 1, site - width, site + width}) {
      if (!cells[other]) continue;
      Site a = root_of(parent, site), b = root_of(parent, other);
      if (a == b) continue;
      if (size[a] < size[b]) std::swap(a, b);
      parent[b] = a;
      size[a] += size[b];
      largest = std::max(largest, size[a]);
    }
  }
  return largest;
}

/// A fluid enters wherever resistance is smallest.
CORPUS_REGION Site invade(const Sites& order, std::size_t side, std::size_t steps, Cells& cells) {
  using Entry = std::uint64_t;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  front.push(cells.size() / 2 + side / 2);
  Site highest = 0;
  for (; steps > 0; --steps) {
    const auto site = static_cast<Site>(front.top());
    highest = std::max(highest, static_cast<Site>(front.top() >> 32));
    front.pop();
    const Site width = static_cast<Site>(side);
    for (const Site other : {site - 1, site + 1, site - width, site + width}) {
      if (cells[other]) continue;
      cells[other] = 1;
      front.push(std::uint64_t{order[other % order.size()]} << 32 | other);
    }
  }
  return highest;
}

/// Fire of the last step (2) lights trees (1) around it and leaves ash (3).
CORPUS_REGION std::size_t burn(const Cells& now, std::size_t side, Cells& next) {
  std::size_t burning = 0;
#pragma omp parallel for reduction(+ : burning)
  for (std::size_t i = side; i < now.size() - side; ++i) {
    const bool lit = now[i - 1] == 2 || now[i + 1] == 2 || now[i - side] == 2 || now[i + side] == 2;
    next[i] = now[i] == 1 && lit ? 2 : now[i] == 2 ? 3 : now[i];
    burning += next[i] == 2;
  }
  return burning;
}

/// Particles wander from a row above the deposit until they touch it.
CORPUS_REGION std::size_t grow(std::size_t side, std::size_t particles, corpus::Random& random, Cells& cells) {
  std::size_t top = 2, stuck = 0;
  for (std::size_t p = 0; p < particles; ++p) {
    std::size_t y = std::min(top + 4, side - 3), x = 1 + random.below(side - 2);
    std::uint64_t dice = 0;
    for (int step = 0; step < 400; ++step) {
      if (step % 32 == 0) dice = random.next();
      const std::size_t i = y * side + x;
      if (cells[i - 1] || cells[i + 1] || cells[i - side] || cells[i + side] || y == 1) {
        cells[i] = 1, ++stuck;
        top = std::max(top, y);
        break;
      }
      const unsigned way = dice >> (step % 32 * 2) & 3;
      if (way == 0) x = x + 2 < side ? x + 1 : 1;
      if (way == 1) x = x > 1 ? x - 1 : side - 2;
      if (way == 2 && y + 3 < side) ++y;
      if (way == 3) --y;
    }
  }
  return stuck;
}

/// Rule 110 on rows of words, each row kept: three shifts and what the rule makes of them.
CORPUS_REGION void run_rule(std::size_t words, std::size_t rows, Words& history) {
  for (std::size_t row = 1; row < rows; ++row)
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t* const old = &history[(row - 1) * words];
      const std::uint64_t middle = old[w];
      const std::uint64_t left = middle << 1 | old[(w + words - 1) % words] >> 63;
      const std::uint64_t right = middle >> 1 | old[(w + 1) % words] << 63;
      history[row * words + w] = (middle | right) & ~(left & middle & right);
    }
}

/// A state takes over its neighbours if it is the next one of many, in a circle.
CORPUS_REGION void cycle_states(const Cells& now, std::size_t side, Cells& next) {
#pragma omp parallel for
  for (std::size_t y = 1; y < side - 1; ++y)
    for (std::size_t i = y * side + 1; i < (y + 1) * side - 1; ++i) {
      const auto higher = static_cast<std::uint8_t>(now[i] == 11 ? 0 : now[i] + 1);
      const bool taken =
          now[i - 1] == higher || now[i + 1] == higher || now[i - side] == higher || now[i + side] == higher;
      next[i] = taken ? higher : now[i];
    }
}

/// A gas of particles that fly in six directions, a bit each: collisions by a table.
CORPUS_REGION void collide(const std::array<std::uint8_t, 64>& table, Cells& gas) {
#pragma omp parallel for
  for (std::size_t i = 0; i < gas.size(); ++i) gas[i] = table[gas[i] & 63];
}

/// Every cell gathers those that fly to it; odd rows of the hexagons are shifted by half a cell.
CORPUS_REGION void fly(const Cells& gas, std::size_t side, Cells& next) {
#pragma omp parallel for
  for (std::size_t y = 0; y < side; ++y) {
    const std::size_t up = (y + 1) % side * side, down = (y + side - 1) % side * side, odd = y % 2;
    for (std::size_t x = 0; x < side; ++x) {
      const std::size_t left = (x + side - 1) % side, right = (x + 1) % side;
      const std::size_t nearer = odd ? x : left, further = odd ? right : x;
      next[y * side + x] =
          static_cast<std::uint8_t>((gas[y * side + left] & 1) | (gas[down + nearer] & 2) | (gas[down + further] & 4) |
                                    (gas[y * side + right] & 8) | (gas[up + further] & 16) | (gas[up + nearer] & 32));
    }
  }
}

CORPUS_REGION std::uint64_t particles(const Cells& gas) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 0; i < gas.size(); ++i) count += static_cast<std::uint64_t>(std::popcount(gas[i]));
  return count;
}

struct Spin {
  float x, y;
};
using Spins = std::vector<Spin>;

Spin field(const Spins& s, std::size_t side, std::size_t y, std::size_t x) {
  const Spin &a = s[y * side + (x + 1) % side], &b = s[y * side + (x + side - 1) % side];
  const Spin &c = s[(y + 1) % side * side + x], &d = s[(y + side - 1) % side * side + x];
  return {a.x + b.x + c.x + d.x, a.y + b.y + c.y + d.y};
}

/// Metropolis' steps of angles on the squares of one colour.
CORPUS_REGION void heat(std::uint64_t seed, std::size_t colour, std::size_t side, Spins& s) {
#pragma omp parallel for
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = (y + colour) % 2; x < side; x += 2) {
      const Spin f = field(s, side, y, x);
      const double angle = 2 * std::numbers::pi * corpus::random_real(seed, y * side + x);
      const Spin turned{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
      Spin& own = s[y * side + x];
      const float gain = f.x * (turned.x - own.x) + f.y * (turned.y - own.y);
      if (static_cast<float>(corpus::random_real(seed + 1, y * side + x)) < std::exp(1.2f * gain)) own = turned;
    }
}

/// Reflects every spin at its neighbours' field, which costs no energy.
CORPUS_REGION void reflect(std::size_t colour, std::size_t side, Spins& s) {
#pragma omp parallel for
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = (y + colour) % 2; x < side; x += 2) {
      const Spin f = field(s, side, y, x);
      Spin& own = s[y * side + x];
      const float scale = 2 * (own.x * f.x + own.y * f.y) / (f.x * f.x + f.y * f.y + 1e-20f);
      own = {scale * f.x - own.x, scale * f.y - own.y};
    }
}

CORPUS_REGION double energy(const Spins& s, std::size_t side) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      const Spin f = field(s, side, y, x), &own = s[y * side + x];
      sum -= static_cast<double>(f.x * own.x + f.y * own.y) / 2;
    }
  return sum;
}

/// Means of 4 x 4 spins.
CORPUS_REGION void coarsen(const Spins& s, std::size_t side, Spins& coarse) {
#pragma omp parallel for
  for (std::size_t y = 0; y < side / 4; ++y)
    for (std::size_t x = 0; x < side / 4; ++x) {
      Spin sum{0, 0};
      for (std::size_t k = 0; k < 16; ++k) {
        const Spin& one = s[(4 * y + k / 4) * side + 4 * x + k % 4];
        sum = {sum.x + one.x / 16, sum.y + one.y / 16};
      }
      coarse[y * (side / 4) + x] = sum;
    }
}

CORPUS_REGION Sites shuffled(std::size_t side, corpus::Random& random) {
  Sites order;
  for (std::size_t y = 1; y < side - 1; ++y)
    for (std::size_t x = 1; x < side - 1; ++x) order.push_back(static_cast<Site>(y * side + x));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Two and three particles that meet head-on turn by 60 degrees.
std::array<std::uint8_t, 64> collisions() {
  std::array<std::uint8_t, 64> table;
  std::iota(table.begin(), table.end(), std::uint8_t{0});
  table[0b001001] = 0b010010, table[0b010010] = 0b100100, table[0b100100] = 0b001001;
  table[0b010101] = 0b101010, table[0b101010] = 0b010101;
  return table;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t side = input.pick<std::size_t>(320, 480), size = side * side;
  Cells cells(size), other(size), closed(size);
  open_sites(input.seed, 59, side, cells);
  Sites label(size), parent{0}, sizes;
  label_rows(cells, side, label, parent);
  resolve(parent, label);
  sizes.resize(parent.size());
  measure(label, sizes);
  const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  bool right = all == static_cast<std::uint64_t>(std::count(cells.begin(), cells.end(), 1));
  const Sites order = shuffled(side, random);
  Sites tree(size), count(size);
  const Site largest = open_one_by_one(order, side, size * 59 / 100, other, tree, count);
  std::fill(other.begin(), other.end(), std::uint8_t{0});
  for (std::size_t i = 0; i < side; ++i)
    other[i] = other[size - 1 - i] = other[i * side] = other[i * side + side - 1] = 1;
  const Site barrier = invade(order, side, size / 16, other);
  for (std::size_t x = side / 4; x < side / 2; ++x) cells[side * (side / 2) + x] = 2;
  std::size_t burnt = 0;
  other = cells;
  for (int step = 0; step < 6; ++step, cells.swap(other)) burnt += burn(cells, side, other);
  const std::size_t stuck = grow(side, 600, random, closed);
  right = right && stuck == static_cast<std::size_t>(std::count(closed.begin(), closed.end(), 1));
  const std::size_t words = 256, rows = input.pick<std::size_t>(400, 640);
  Words history(words * rows);
  for (std::size_t w = 0; w < words; ++w) history[w] = random.next();
  run_rule(words, rows, history);
  const std::size_t wide = 2 * side;
  Cells gas(wide * wide), moved(wide * wide);
  for (std::uint8_t& cell : gas) cell = static_cast<std::uint8_t>(random.below(12));
  for (int step = 0; step < 2; ++step, gas.swap(moved)) cycle_states(gas, wide, moved);
  for (std::uint8_t& cell : gas) cell = static_cast<std::uint8_t>(random.next() & random.next() & 63);
  const std::uint64_t before = particles(gas);
  for (int step = 0; step < 2; ++step, gas.swap(moved)) {
    collide(collisions(), gas);
    fly(gas, wide, moved);
  }
  right = right && particles(gas) == before;
  Spins spins(size), coarse(size / 16);
  for (Spin& s : spins) {
    const double angle = 0.7 * random.unit();
    s = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }
  for (std::size_t colour = 0; colour < 2; ++colour) heat(input.seed + colour, colour, side, spins);
  const double warm = energy(spins, side);
  for (std::size_t colour = 0; colour < 2; ++colour) reflect(colour, side, spins);
  right = right && std::fabs(energy(spins, side) - warm) < 1e-4 * static_cast<double>(size);
  coarsen(spins, side, coarse);
  const std::uint64_t bits = std::accumulate(history.end() - 256, history.end(), std::uint64_t{0}) >> 40;
  const std::uint64_t sum = largest + barrier % 1000 + burnt + stuck + bits + before;
  return {.checksum = static_cast<double>(sum) + warm + static_cast<double>(coarse[9].x), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
