// Points and boxes in the plane: clusters by density on a grid, an R-tree packed in tiles, windows asked of both, the
// nearest site everywhere by jumps, points in a polygon.
// Source: Ester et al., KDD 1996 (density); Leutenegger et al., ICDE 1997 (R-tree); Rong, Tan, I3D 2006 (jumps);
// Preparata, Shamos, Computational Geometry, 1985.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Numbers = std::vector<std::uint32_t>;

/// A point in the unit square, how many others are near, and the cluster it belongs to (0: none).
struct Site {
  float x, y;
  std::uint32_t near, label;
};

using Sites = std::vector<Site>;

/// Half of the points around 64 centres, half anywhere.
CORPUS_REGION void make_sites(Sites& sites, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double u = corpus::random_real(seed, 2 * i), v = corpus::random_real(seed, 2 * i + 1);
    const double cx = corpus::random_real(seed + 1, i % 64), cy = corpus::random_real(seed + 2, i % 64);
    const double share = i % 2 == 0 ? 0.05 : 0.999;
    sites[i] = {static_cast<float>(cx + share * (u - cx)), static_cast<float>(cy + share * (v - cy)), 0, 0};
  }
}

struct Grid {
  static constexpr std::size_t side = 330;
  Numbers start = Numbers(side * side + 2);
};

std::size_t cell(float x) { return std::min(Grid::side - 1, static_cast<std::size_t>(x * Grid::side)); }

CORPUS_REGION void count_cells(const Sites& sites, Grid& grid) {
  for (const Site& s : sites) ++grid.start[cell(s.y) * Grid::side + cell(s.x) + 2];
}

CORPUS_REGION void add_up(Grid& grid) {
  for (std::size_t c = 1; c < grid.start.size(); ++c) grid.start[c] += grid.start[c - 1];
}

CORPUS_REGION void sort_to_cells(const Sites& sites, Grid& grid, Sites& out) {
  for (const Site& s : sites) out[grid.start[cell(s.y) * Grid::side + cell(s.x) + 1]++] = s;
}

/// All sites less than the side of a cell away.
template <class Visit>
void for_near(const Grid& grid, const Sites& sites, const Site& at, Visit visit) {
  for (std::size_t row = cell(at.y) - (cell(at.y) > 0); row <= std::min(Grid::side - 1, cell(at.y) + 1); ++row) {
    const std::size_t first = row * Grid::side + cell(at.x) - (cell(at.x) > 0);
    const std::size_t last = row * Grid::side + std::min(Grid::side - 1, cell(at.x) + 1);
    for (std::uint32_t other = grid.start[first]; other < grid.start[last + 1]; ++other) {
      const float x = sites[other].x - at.x, y = sites[other].y - at.y;
      if ((x * x + y * y) * Grid::side * Grid::side < 1) visit(other);
    }
  }
}

CORPUS_REGION void count_near(const Grid& grid, Sites& sites) {
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t i = 0; i < sites.size(); ++i) {
    std::uint32_t near = 0;
    for_near(grid, sites, sites[i], [&](std::uint32_t) { ++near; });
    sites[i].near = near;
  }
}

constexpr std::uint32_t dense = 5;

/// From each dense site without a label to all that can be reached over dense ones; the number of clusters.
CORPUS_REGION std::uint32_t grow(const Grid& grid, Sites& sites, Numbers& stack) {
  std::uint32_t label = 0;
  for (std::uint32_t first = 0; first < sites.size(); ++first) {
    if (sites[first].label != 0 || sites[first].near < dense) continue;
    sites[first].label = ++label;
    std::size_t count = 0;
    stack[count++] = first;
    while (count > 0) {
      const Site at = sites[stack[--count]];
      for_near(grid, sites, at, [&](std::uint32_t other) {
        if (sites[other].label != 0) return;
        sites[other].label = label;
        if (sites[other].near >= dense) stack[count++] = other;
      });
    }
  }
  return label;
}

/// Dense neighbours with different labels: there must be none.
CORPUS_REGION std::size_t torn(const Grid& grid, const Sites& sites) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count) schedule(dynamic, 256)
  for (std::size_t i = 0; i < sites.size(); i += 2)
    if (sites[i].near >= dense)
      for_near(grid, sites, sites[i], [&](std::uint32_t other) {
        count += sites[other].near >= dense && sites[other].label != sites[i].label;
      });
  return count;
}

struct Box {
  float left = 2, top = 2, right = -1, bottom = -1;
  void add(const Box& b) {
    left = std::min(left, b.left), top = std::min(top, b.top);
    right = std::max(right, b.right), bottom = std::max(bottom, b.bottom);
  }
  bool meets(const Box& b) const { return left <= b.right && b.left <= right && top <= b.bottom && b.top <= bottom; }
};

/// Slices by x, each in order of y: sixteen neighbours of the result make a leaf.
CORPUS_REGION void sort_in_tiles(Sites& sites) {
  std::sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.x < b.x; });
  const auto slice = static_cast<std::ptrdiff_t>(std::sqrt(static_cast<double>(sites.size() / 16))) * 16;
  for (std::ptrdiff_t s = 0; s < std::ssize(sites); s += slice)
    std::sort(sites.begin() + s, sites.begin() + std::min(std::ssize(sites), s + slice),
              [](const Site& a, const Site& b) { return a.y < b.y; });
}

using Levels = std::vector<std::vector<Box>>;

CORPUS_REGION void bound_leaves(const Sites& sites, std::vector<Box>& leaves) {
#pragma omp parallel for
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
    for (std::size_t i = 16 * leaf; i < std::min(sites.size(), 16 * leaf + 16); ++i)
      leaves[leaf].add({sites[i].x, sites[i].y, sites[i].x, sites[i].y});
}

void bound_levels(Levels& levels) {
  while (levels.back().size() > 1) {
    std::vector<Box> above((levels.back().size() + 15) / 16);
    for (std::size_t k = 0; k < levels.back().size(); ++k) above[k / 16].add(levels.back()[k]);
    levels.push_back(above);
  }
}

/// Sites in many small windows, by a stack of nodes.
CORPUS_REGION std::size_t count_in_windows(const Levels& levels, const Sites& sites, const std::vector<Box>& windows) {
  struct Place {
    std::uint32_t level, node;
  };
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 16)
  for (std::size_t w = 0; w < windows.size(); ++w) {
    std::array<Place, 128> stack{{{static_cast<std::uint32_t>(levels.size() - 1), 0}}};
    std::size_t count = 1;
    while (count > 0) {
      const auto [level, node] = stack[--count];
      if (!levels[level][node].meets(windows[w])) continue;
      const std::size_t end =
          std::min<std::size_t>(16 * node + 16, level > 0 ? levels[level - 1].size() : sites.size());
      for (std::uint32_t k = 16 * node; k < end; ++k)
        if (level > 0)
          stack[count++] = {level - 1, k};
        else
          found += windows[w].meets({sites[k].x, sites[k].y, sites[k].x, sites[k].y});
    }
  }
  return found;
}

/// The same by the grid: rows of cells.
CORPUS_REGION std::size_t count_by_grid(const Grid& grid, const Sites& sites, const std::vector<Box>& windows) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 16)
  for (std::size_t w = 0; w < windows.size(); ++w)
    for (std::size_t row = cell(windows[w].top); row <= cell(windows[w].bottom); ++row)
      for (std::size_t i = grid.start[row * Grid::side + cell(windows[w].left)];
           i < grid.start[row * Grid::side + cell(windows[w].right) + 1]; ++i)
        found += windows[w].meets({sites[i].x, sites[i].y, sites[i].x, sites[i].y});
  return found;
}

constexpr std::size_t raster = 340;

float distance(const Sites& sites, std::uint32_t who, std::size_t x, std::size_t y) {
  if (who == ~0u) return 1e9f;
  const float dx = sites[who].x * raster - static_cast<float>(x), dy = sites[who].y * raster - static_cast<float>(y);
  return dx * dx + dy * dy;
}

/// Each pixel asks eight others, `step` away, which site they know: reads far apart in rows and columns.
CORPUS_REGION void jump(const Sites& sites, std::size_t step, const Numbers& from, Numbers& to) {
#pragma omp parallel for
  for (std::size_t y = 0; y < raster; ++y)
    for (std::size_t x = 0; x < raster; ++x) {
      std::uint32_t best = from[y * raster + x];
      for (std::size_t k = 0; k < 9; ++k) {
        const std::size_t v = y + k / 3 * step - step, u = x + k % 3 * step - step;
        if (u >= raster || v >= raster) continue;
        const std::uint32_t who = from[v * raster + u];
        if (distance(sites, who, x, y) < distance(sites, best, x, y)) best = who;
      }
      to[y * raster + x] = best;
    }
}

/// Is a site in the star of 64 corners? Each edge is asked whether it crosses a line to the left.
CORPUS_REGION std::size_t count_in_star(const Sites& sites) {
  std::array<std::array<double, 2>, 65> corner;
  for (std::size_t k = 0; k <= 64; ++k) {
    const double radius = k % 2 == 0 ? 0.45 : 0.2, angle = 6.283185307 * static_cast<double>(k % 64) / 64;
    corner[k] = {0.5 + radius * std::cos(angle), 0.5 + radius * std::sin(angle)};
  }
  std::size_t inside = 0;
#pragma omp parallel for reduction(+ : inside)
  for (std::size_t i = 0; i < sites.size(); i += 4) {
    const double x = static_cast<double>(sites[i].x), y = static_cast<double>(sites[i].y);
    bool in = false;
    for (std::size_t k = 0; k < 64; ++k) {
      const auto &a = corner[k], &b = corner[k + 1];
      if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) in = !in;
    }
    inside += in;
  }
  return inside;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t n = input.pick<std::size_t>(36'000, 60'000);
  Sites sites(n), in_cells(n);
  make_sites(sites, input.seed);
  Grid grid;
  count_cells(sites, grid);
  add_up(grid);
  sort_to_cells(sites, grid, in_cells);
  count_near(grid, in_cells);
  Numbers stack(n);
  const std::uint32_t clusters = grow(grid, in_cells, stack);
  bool right = clusters > 1 && torn(grid, in_cells) == 0;
  const std::size_t inside = count_in_star(sites);
  sort_in_tiles(sites);
  Levels levels{std::vector<Box>((n + 15) / 16)};
  bound_leaves(sites, levels[0]);
  bound_levels(levels);
  std::vector<Box> windows(3'000);
  for (Box& w : windows) {
    const auto x = static_cast<float>(random.unit()), y = static_cast<float>(random.unit());
    w = {x, y, std::min(0.9999f, x + 0.01f), std::min(0.9999f, y + 0.02f)};
  }
  const std::size_t found = count_in_windows(levels, sites, windows);
  right = right && found == count_by_grid(grid, in_cells, windows);
  Numbers nearest(raster * raster, ~0u), next(raster * raster);
  for (std::uint32_t i = 0; i < n; i += 97)
    nearest[static_cast<std::size_t>(sites[i].y * raster) * raster + static_cast<std::size_t>(sites[i].x * raster)] = i;
  for (std::size_t step = 81; step > 0; step /= 3) {
    jump(sites, step, nearest, next);
    nearest.swap(next);
  }
  right = right && std::count(nearest.begin(), nearest.end(), ~0u) == 0;
  return {.checksum = static_cast<double>(clusters + found + inside), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
