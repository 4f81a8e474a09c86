// Multigrid in the plane, rate style: every lane solves an anisotropic problem of its own with line smoothing, damped
// Jacobi, injection and full weighting, bilinear interpolation, and a full multigrid start (Briggs, Henson, McCormick:
// A Multigrid Tutorial, 2nd edition, chapters 2 to 4, 7).
#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
constexpr double across = 0.25;  // the weight of the coupling between rows; within a row it is 1

/// n x n points within a border of zeros.
struct Level {
  explicit Level(std::size_t points) : n(points), m(points + 2), u(m * m), f(m * m), r(m * m) {}
  std::size_t n, m;
  Reals u, f, r;
};

CORPUS_REGION void load(std::uint64_t seed, Level& l) {
  for (std::size_t j = 1; j <= l.n; ++j) {
    for (std::size_t i = 1; i <= l.n; ++i) l.f[j * l.m + i] = corpus::random_real(seed, j * l.m + i) - 0.5;
  }
}

/// r = f - A u.
CORPUS_REGION void residual(Level& l) {
  for (std::size_t j = 1; j <= l.n; ++j) {
    for (std::size_t p = j * l.m + 1; p <= j * l.m + l.n; ++p) {
      l.r[p] = l.f[p] - (2 + 2 * across) * l.u[p] + l.u[p - 1] + l.u[p + 1] + across * (l.u[p - l.m] + l.u[p + l.m]);
    }
  }
}

/// Jacobi's step from a residual that is there.
CORPUS_REGION void correct(Level& l) {
  for (std::size_t p = 0; p < l.u.size(); ++p) l.u[p] += 0.8 / (2 + 2 * across) * l.r[p];
}

/// Every second row is solved exactly for given neighbours: zebra.
CORPUS_REGION void zebra(std::size_t parity, Level& l, Reals& upper) {
  for (std::size_t j = 1 + parity; j <= l.n; j += 2) {
    double* u = &l.u[j * l.m];
    upper[0] = u[0] = 0;
    for (std::size_t i = 1; i <= l.n; ++i) {
      const double right = l.f[j * l.m + i] + across * (l.u[(j - 1) * l.m + i] + l.u[(j + 1) * l.m + i]);
      const double inverse = 1 / (2 + 2 * across + upper[i - 1]);
      upper[i] = -inverse;
      u[i] = (right + u[i - 1]) * inverse;
    }
    for (std::size_t i = l.n; i-- > 1;) u[i] -= upper[i] * u[i + 1];
  }
}

/// Four colours of points, in place: strides of two rows and two columns.
CORPUS_REGION void four_colours(Level& l) {
  for (std::size_t colour = 0; colour < 4; ++colour) {
    for (std::size_t j = 1 + colour / 2; j <= l.n; j += 2) {
      for (std::size_t i = 1 + colour % 2; i <= l.n; i += 2) {
        const std::size_t p = j * l.m + i;
        l.u[p] = (l.f[p] + l.u[p - 1] + l.u[p + 1] + across * (l.u[p - l.m] + l.u[p + l.m])) / (2 + 2 * across);
      }
    }
  }
}

/// Full weighting; the grid of half as many points has twice their distance, so four times the residual.
CORPUS_REGION void weigh(const Level& fine, Level& coarse) {
  for (std::size_t j = 1; j <= coarse.n; ++j) {
    for (std::size_t i = 1; i <= coarse.n; ++i) {
      const double* p = &fine.r[2 * j * fine.m + 2 * i];
      const std::size_t m = fine.m;
      const double beside = p[-1] + p[1] + *(p - m) + p[m];
      const double corners = *(p - m - 1) + *(p - m + 1) + p[m - 1] + p[m + 1];
      coarse.f[j * coarse.m + i] = 0.25 * (4 * *p + 2 * beside + corners);
    }
  }
}

/// The right-hand side itself, one point of four.
CORPUS_REGION void inject(const Level& fine, Level& coarse) {
  for (std::size_t j = 1; j <= coarse.n; ++j) {
    for (std::size_t i = 1; i <= coarse.n; ++i) coarse.f[j * coarse.m + i] = 4 * fine.f[2 * j * fine.m + 2 * i];
  }
}

/// u += bilinear interpolation, seen from the coarse points: each adds to nine fine ones.
CORPUS_REGION void interpolate(const Level& coarse, Level& fine) {
  const std::size_t m = fine.m;
  for (std::size_t j = 1; j <= coarse.n; ++j) {
    for (std::size_t i = 1; i <= coarse.n; ++i) {
      const double value = coarse.u[j * coarse.m + i];
      double* p = &fine.u[2 * j * m + 2 * i];
      *p += value;
      p[-1] += 0.5 * value, p[1] += 0.5 * value;
      *(p - m) += 0.5 * value, p[m] += 0.5 * value;
      *(p - m - 1) += 0.25 * value, *(p - m + 1) += 0.25 * value;
      p[m - 1] += 0.25 * value, p[m + 1] += 0.25 * value;
    }
  }
}

CORPUS_REGION void clear(Level& l) {
  for (std::size_t j = 1; j <= l.n; ++j) {
    for (std::size_t p = j * l.m; p < (j + 1) * l.m; ++p) l.u[p] = 0;
  }
}

CORPUS_REGION double norm(const Level& l) {
  double sum = 0;
  for (std::size_t j = 1; j <= l.n; ++j) {
    for (std::size_t p = j * l.m + 1; p <= j * l.m + l.n; ++p) sum += l.r[p] * l.r[p];
  }
  return std::sqrt(sum);
}

/// The largest on each column, a row apart each.
CORPUS_REGION double peaks(const Level& l) {
  double sum = 0;
  for (std::size_t i = 1; i <= l.n; i += 2) {
    double most = 0;
    for (std::size_t j = 1; j <= l.n; ++j) most = std::max(most, std::fabs(l.u[j * l.m + i]));
    sum += most;
  }
  return sum;
}

void cycle(std::vector<Level>& levels, std::size_t top, Reals& upper) {
  for (std::size_t k = top; k + 1 < levels.size(); ++k) {
    if (k > top) clear(levels[k]);
    zebra(0, levels[k], upper);
    zebra(1, levels[k], upper);
    residual(levels[k]);
    weigh(levels[k], levels[k + 1]);
  }
  clear(levels.back());
  for (int sweep = 0; sweep < 20; ++sweep) four_colours(levels.back());
  for (std::size_t k = levels.size() - 1; k-- > top;) {
    interpolate(levels[k + 1], levels[k]);
    four_colours(levels[k]);
    residual(levels[k]);
    correct(levels[k]);
  }
}

struct Solved {
  double checksum, reduction;
};

std::vector<Level> make_levels(std::size_t n) {
  std::vector<Level> levels;
  for (std::size_t points = n; points >= 3; points /= 2) levels.emplace_back(points);
  return levels;
}

Solved solve(std::vector<Level>& levels, std::uint64_t seed) {
  Reals upper(levels[0].m);
  load(seed, levels[0]);
  residual(levels[0]);
  const double before = norm(levels[0]);
  inject(levels[0], levels[1]);
  cycle(levels, 1, upper);
  interpolate(levels[1], levels[0]);
  cycle(levels, 0, upper);
  residual(levels[0]);
  return {peaks(levels[0]), norm(levels[0]) / before};
}

corpus::Answer multigrid(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(119, 159);  // 2^k * 15 - 1, 2^k * 5 - 1: coarse points are fine ones
  double sum = 0, worst = 0;
  const std::vector<Level> empty = make_levels(n);
  std::vector<std::vector<Level>> problems(12, empty);
#pragma omp parallel for schedule(static) reduction(+ : sum) reduction(max : worst)
  for (std::size_t lane = 0; lane < 12; ++lane) {
    const Solved done = solve(problems[lane], corpus::random_bits(input.seed, lane));
    sum += done.checksum;
    worst = std::max(worst, done.reduction);
  }
  return {sum, worst < 0.5};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, multigrid); }
