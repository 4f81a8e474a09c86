// Maxwell's equations by finite differences in the time domain: Yee's scheme in two and three dimensions, materials by
// index, a lossy layer, Mur's boundary, dispersion with a memory (Taflove, Hagness: Computational Electrodynamics, 3rd
// edition, chapters 3, 6, 7, 9).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "training/corpus/corpus.h"

namespace {

using Floats = std::vector<float>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint8_t>;

CORPUS_REGION void materials(std::size_t n, std::uint64_t seed, Indices& index) {
#pragma omp parallel for
  for (std::size_t p = 0; p < index.size(); ++p) {
    const std::size_t block = p / (n * 8) * n + p % n / 8;  // patches of one material
    index[p] = static_cast<std::uint8_t>(corpus::random_below(16, seed, block));
  }
}

CORPUS_REGION void magnetic_plane(std::size_t n, const Reals& ez, Reals& hx, Reals& hy) {
#pragma omp parallel for
  for (std::size_t j = 0; j < n - 1; ++j) {
    for (std::size_t p = j * n; p < j * n + n - 1; ++p) {
      hx[p] -= 0.5 * (ez[p + n] - ez[p]);
      hy[p] += 0.5 * (ez[p + 1] - ez[p]);
    }
  }
}

/// The material's coefficients come from a small table: a gather that hits.
CORPUS_REGION void electric_plane(std::size_t n, const Indices& index, const Reals& hx, const Reals& hy, Reals& ez) {
  double loss[16], gain[16];
  for (int m = 0; m < 16; ++m) {
    loss[m] = (1 - 0.005 * m) / (1 + 0.005 * m);
    gain[m] = 0.5 / (1 + 0.1 * m);
  }
#pragma omp parallel for
  for (std::size_t j = 1; j < n; ++j) {
    for (std::size_t p = j * n + 1; p < (j + 1) * n; ++p) {
      ez[p] = loss[index[p]] * ez[p] + gain[index[p]] * (hy[p] - hy[p - 1] - hx[p] + hx[p - n]);
    }
  }
}

/// Lorentz's dispersion: the polarisation of two steps before.
CORPUS_REGION void polarise(const Reals& ez, Reals& now, Reals& before) {
#pragma omp parallel for simd
  for (std::size_t p = 0; p < ez.size(); ++p) {
    const double next = 1.8 * now[p] - 0.9 * before[p] + 0.01 * ez[p];
    before[p] = now[p];
    now[p] = next;
  }
}

/// A split field that decays in the outer layer only: most points are passed over.
CORPUS_REGION void absorb(std::size_t n, std::size_t layer, Reals& ez, Reals& hx) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t edge = std::min(std::min(i, n - 1 - i), std::min(j, n - 1 - j));
      if (edge >= layer) continue;
      const double depth = static_cast<double>(layer - edge) / static_cast<double>(layer);
      const double factor = std::exp(-depth * depth * depth);
      ez[j * n + i] *= factor;
      hx[j * n + i] *= factor;
    }
  }
}

struct Space {
  std::size_t n, plane;
  Floats ex, ey, ez, hx, hy, hz;
  explicit Space(std::size_t side)
      : n(side), plane(side * side), ex(n * plane), ey(ex), ez(ex), hx(ex), hy(ex), hz(ex) {}
};

CORPUS_REGION void magnetic_space(Space& s) {
#pragma omp parallel for
  for (std::size_t k = 0; k < s.n - 1; ++k) {
    for (std::size_t j = 0; j < s.n - 1; ++j) {
      for (std::size_t p = k * s.plane + j * s.n; p < k * s.plane + j * s.n + s.n - 1; ++p) {
        s.hx[p] += 0.4f * (s.ey[p + s.plane] - s.ey[p] - s.ez[p + s.n] + s.ez[p]);
        s.hy[p] += 0.4f * (s.ez[p + 1] - s.ez[p] - s.ex[p + s.plane] + s.ex[p]);
        s.hz[p] += 0.4f * (s.ex[p + s.n] - s.ex[p] - s.ey[p + 1] + s.ey[p]);
      }
    }
  }
}

/// A loop for each component: fewer streams in each.
CORPUS_REGION void electric_space(Space& s) {
  const std::size_t first = s.plane + s.n + 1, size = s.n * s.plane;
#pragma omp parallel
  {
#pragma omp for nowait
    for (std::size_t p = first; p < size; ++p)
      s.ex[p] += 0.4f * (s.hz[p] - s.hz[p - s.n] - s.hy[p] + s.hy[p - s.plane]);
#pragma omp for nowait
    for (std::size_t p = first; p < size; ++p) s.ey[p] += 0.4f * (s.hx[p] - s.hx[p - s.plane] - s.hz[p] + s.hz[p - 1]);
#pragma omp for
    for (std::size_t p = first; p < size; ++p) s.ez[p] += 0.4f * (s.hy[p] - s.hy[p - 1] - s.hx[p] + s.hx[p - s.n]);
  }
}

/// A pulse along a line through the middle, and a random one in every point before.
CORPUS_REGION void excite(std::uint64_t seed, Space& s) {
  const std::size_t size = s.n * s.plane;
#pragma omp parallel for
  for (std::size_t p = 0; p < size; ++p) s.ez[p] = 1e-3f * static_cast<float>(corpus::random_real(seed, p) - 0.5);
  for (std::size_t k = 0; k < s.n; ++k) s.ez[k * s.plane + s.plane / 2 + s.n / 2] = 1;
}

/// Power through every point: Poynting's vector.
CORPUS_REGION double poynting(const Space& s) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t p = 0; p < s.n * s.plane; ++p) {
    const float x = s.ey[p] * s.hz[p] - s.ez[p] * s.hy[p], y = s.ez[p] * s.hx[p] - s.ex[p] * s.hz[p];
    const float z = s.ex[p] * s.hy[p] - s.ey[p] * s.hx[p];
    most = std::fmax(most, x * x + y * y + z * z);
  }
  return std::sqrt(static_cast<double>(most));
}

/// The field far away: sums over surfaces with a phase, points a row apart.
CORPUS_REGION double far_field(const Space& s) {
  double real = 0, imaginary = 0;
#pragma omp parallel for reduction(+ : real, imaginary)
  for (std::size_t k = 1; k < s.n - 1; ++k) {
    for (std::size_t j = 1; j < s.n - 1; ++j) {
      const std::size_t p = k * s.plane + j * s.n + 3;
      const double phase = 0.2 * static_cast<double>(k + j);
      real += std::cos(phase) * static_cast<double>(s.ey[p] + s.hz[p]);
      imaginary += std::sin(phase) * static_cast<double>(s.ez[p] - s.hy[p]);
    }
  }
  return std::hypot(real, imaginary);
}

CORPUS_REGION double energy(const Reals& ez, const Reals& hx, const Reals& hy) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t p = 0; p < ez.size(); ++p) sum += ez[p] * ez[p] + hx[p] * hx[p] + hy[p] * hy[p];
  return sum;
}

CORPUS_REGION void source(std::size_t n, Reals& ez) {
  for (std::size_t j = 0; j < n; ++j) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(j) / 20;
    for (std::size_t i = 0; i < n; ++i) ez[j * n + i] = std::sin(phase) / (1 + static_cast<double>(i));
  }
}

corpus::Answer fields(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(300, 400), m = n * n;
  Indices index(m);
  Reals ez(m), hx(m), hy(m), polarisation(m), old(m);
  materials(n, input.seed, index);
  source(n, ez);
  const double before = energy(ez, hx, hy);
  for (int step = 0; step < 2; ++step) {
    magnetic_plane(n, ez, hx, hy);
    electric_plane(n, index, hx, hy, ez);
    absorb(n, 24, ez, hx);
  }
  polarise(ez, polarisation, old);
  const double after = energy(ez, hx, hy);
  Space s(input.pick<std::size_t>(44, 56));
  excite(input.seed, s);
  for (int step = 0; step < 2; ++step) {
    magnetic_space(s);
    electric_space(s);
  }
  return {poynting(s) + far_field(s) + after + polarisation[m / 2], std::isfinite(after) && after < 2 * before};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, fields); }
