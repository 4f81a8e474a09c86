// Implicit steps with scalar pentadiagonal systems along x, y and z: after the pseudo-application SP of the NAS
// Parallel Benchmarks (Bailey et al., NASA RNR-94-007, section 3.5), with convection, diffusion and fourth-order
// dissipation of five quantities instead of the Navier-Stokes equations.
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
constexpr std::size_t parts = 5;

std::size_t lane() { return static_cast<std::size_t>(omp_get_thread_num()); }
std::size_t lanes() { return static_cast<std::size_t>(omp_get_max_threads()); }

struct Box {
  std::size_t n;
  std::size_t at(std::size_t k, std::size_t j, std::size_t i) const { return (k * n + j) * n + i; }
  std::size_t size() const { return n * n * n; }
};

constexpr double step = 0.02, dissipation = 0.1, diffusion = 0.5;

CORPUS_REGION void initialise(const Box& b, Reals& u, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t p = 0; p < b.size(); ++p) {
    for (std::size_t c = 0; c < parts; ++c) u[p * parts + c] = 1 + 0.1 * corpus::random_real(seed, p * parts + c);
  }
}

/// Speed and its square of every point: arrays of their own, as in the benchmark.
CORPUS_REGION void auxiliary(const Box& b, const Reals& u, Reals& speed, Reals& sound) {
#pragma omp parallel for
  for (std::size_t p = 0; p < b.size(); ++p) {
    const double* q = &u[p * parts];
    const double inverse = 1 / q[0];
    speed[p] = (q[1] + q[2] + q[3]) * inverse / 3;
    sound[p] = std::sqrt(std::fabs(q[4] * inverse)) * 0.1;
  }
}

/// The explicit part of one direction: `stride` points from neighbour to neighbour.
inline double change(const Reals& u, const Reals& speed, std::size_t p, std::size_t c, std::size_t stride) {
  auto value = [&](std::size_t q) { return u[q * parts + c]; };
  return -0.5 * speed[p] * (value(p + stride) - value(p - stride)) +
         diffusion * (value(p + stride) - 2 * value(p) + value(p - stride)) -
         dissipation * (value(p + 2 * stride) - 4 * value(p + stride) + 6 * value(p) - 4 * value(p - stride) +
                        value(p - 2 * stride));
}

CORPUS_REGION void explicit_x(const Box& b, const Reals& u, const Reals& speed, Reals& rhs) {
#pragma omp parallel for collapse(2)
  for (std::size_t k = 2; k < b.n - 2; ++k) {
    for (std::size_t j = 2; j < b.n - 2; ++j) {
      for (std::size_t i = 2; i < b.n - 2; ++i) {
        const std::size_t p = b.at(k, j, i);
        for (std::size_t c = 0; c < parts; ++c) rhs[p * parts + c] = step * change(u, speed, p, c, 1);
      }
    }
  }
}

CORPUS_REGION void explicit_yz(const Box& b, const Reals& u, const Reals& speed, Reals& rhs) {
#pragma omp parallel for
  for (std::size_t k = 2; k < b.n - 2; ++k) {
    for (std::size_t j = 2; j < b.n - 2; ++j) {
      for (std::size_t i = 2; i < b.n - 2; ++i) {
        const std::size_t p = b.at(k, j, i);
        for (std::size_t c = 0; c < parts; ++c) {
          rhs[p * parts + c] += step * (change(u, speed, p, c, b.n) + change(u, speed, p, c, b.n * b.n));
        }
      }
    }
  }
}

/// To characteristic variables, and back: a small dense transformation in every point.
CORPUS_REGION void transform(const Box& b, const Reals& sound, Reals& rhs, double sign) {
#pragma omp parallel for
  for (std::size_t p = 0; p < b.size(); ++p) {
    double* r = &rhs[p * parts];
    const double s = sign * sound[p], a = r[3], e = r[4];
    const double scale = sign > 0 ? 1 : 1 / (1 + sound[p] * sound[p]);
    r[3] = scale * (a + s * e);
    r[4] = scale * (e - s * a);
  }
}

/// The five diagonals of a line, one row a point.
CORPUS_REGION void diagonals(std::size_t n, const double* speed, const double* sound, std::size_t stride, Reals& lhs) {
  for (std::size_t i = 0; i < n; ++i) {
    const double convection = 0.5 * step * (speed[i * stride] + sound[i * stride]);
    double* row = &lhs[i * parts];
    row[0] = row[4] = step * dissipation;
    row[1] = -convection - step * (diffusion + 4 * dissipation);
    row[3] = convection - step * (diffusion + 4 * dissipation);
    row[2] = 1 + step * (2 * diffusion + 6 * dissipation);
  }
}

/// Gauss's elimination without pivots, forwards and backwards, for five right-hand sides in place.
inline void solve_line(std::size_t n, Reals& lhs, double* rhs, std::size_t stride) {
  auto eliminate = [&](std::size_t i, std::size_t j, std::size_t column) {
    double *from = &lhs[i * parts], *to = &lhs[j * parts];
    const double factor = to[column] / from[2];
    to[column + 1] -= factor * from[3];
    to[column + 2] -= factor * from[4];
    for (std::size_t c = 0; c < parts; ++c) rhs[j * stride * parts + c] -= factor * rhs[i * stride * parts + c];
  };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    eliminate(i, i + 1, 1);
    if (i + 2 < n) eliminate(i, i + 2, 0);
  }
  for (std::size_t i = n; i-- > 0;) {
    const double* row = &lhs[i * parts];
    for (std::size_t c = 0; c < parts; ++c) {
      double value = rhs[i * stride * parts + c];
      if (i + 1 < n) value -= row[3] * rhs[(i + 1) * stride * parts + c];
      if (i + 2 < n) value -= row[4] * rhs[(i + 2) * stride * parts + c];
      rhs[i * stride * parts + c] = value / row[2];
    }
  }
}

CORPUS_REGION void solve_x(const Box& b, const Reals& speed, const Reals& sound, Reals& rhs) {
  std::vector<Reals> scratch(lanes(), Reals(b.n * parts));
#pragma omp parallel
  {
    Reals& lhs = scratch[lane()];
#pragma omp for
    for (std::size_t line = 0; line < b.n * b.n; ++line) {
      diagonals(b.n, &speed[line * b.n], &sound[line * b.n], 1, lhs);
      solve_line(b.n, lhs, &rhs[line * b.n * parts], 1);
    }
  }
}

CORPUS_REGION void solve_y(const Box& b, const Reals& speed, const Reals& sound, Reals& rhs) {
  std::vector<Reals> scratch(lanes(), Reals(b.n * parts));
#pragma omp parallel
  {
    Reals& lhs = scratch[lane()];
#pragma omp for collapse(2)
    for (std::size_t k = 0; k < b.n; ++k) {
      for (std::size_t i = 0; i < b.n; ++i) {
        const std::size_t first = b.at(k, 0, i);
        diagonals(b.n, &speed[first], &sound[first], b.n, lhs);
        solve_line(b.n, lhs, &rhs[first * parts], b.n);
      }
    }
  }
}

/// The diagonals are made in place, since all of a plane's lines have a stride of a whole plane.
CORPUS_REGION void solve_z(const Box& b, const Reals& speed, Reals& rhs) {
  const std::size_t plane = b.n * b.n;
  std::vector<Reals> scratch(lanes(), Reals(b.n * parts));
#pragma omp parallel
  {
    Reals& lhs = scratch[lane()];
#pragma omp for
    for (std::size_t first = 0; first < plane; ++first) {
      for (std::size_t k = 0; k < b.n; ++k) {
        const double convection = 0.5 * step * speed[first + k * plane];
        const double row[parts] = {0, -convection - step * diffusion, 1 + 2 * step * diffusion,
                                   convection - step * diffusion, 0};
        std::copy(row, row + parts, &lhs[k * parts]);
      }
      solve_line(b.n, lhs, &rhs[first * parts], plane);
    }
  }
}

CORPUS_REGION void add(const Reals& rhs, Reals& u) {
#pragma omp parallel for
  for (std::size_t p = 0; p < u.size(); ++p) u[p] += rhs[p];
}

CORPUS_REGION double spread(const Reals& u) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t p = 0; p < u.size(); p += parts) {
    for (std::size_t c = 0; c < parts; ++c) sum += (u[p + c] - 1.05) * (u[p + c] - 1.05);
  }
  return std::sqrt(sum / static_cast<double>(u.size()));
}

corpus::Answer sp(const corpus::Input& input) {
  const Box b{input.pick<std::size_t>(26, 32)};
  Reals u(b.size() * parts), rhs(b.size() * parts), speed(b.size()), sound(b.size());
  initialise(b, u, input.seed);
  const double before = spread(u);
  for (int n = 0; n < 2; ++n) {
    auxiliary(b, u, speed, sound);
    explicit_x(b, u, speed, rhs);
    explicit_yz(b, u, speed, rhs);
    transform(b, sound, rhs, 1);
    solve_x(b, speed, sound, rhs);
    solve_y(b, speed, sound, rhs);
    solve_z(b, speed, rhs);
    transform(b, sound, rhs, -1);
    add(rhs, u);
  }
  const double after = spread(u);
  return {after, after < before};  // noise is smoothed
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, sp); }
