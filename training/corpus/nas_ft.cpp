// A diffusion equation solved in the frequency domain with 3-D Fourier transforms: the kernel FT of the NAS Parallel
// Benchmarks (Bailey et al., NASA RNR-94-007, section 2.6). Lines are gathered into a buffer and transformed there.
#include <omp.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "training/corpus/corpus.h"

namespace {

using Complex = std::complex<double>;
using Field = std::vector<Complex>;

inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::size_t lane() { return static_cast<std::size_t>(omp_get_thread_num()); }
std::size_t lanes() { return static_cast<std::size_t>(omp_get_max_threads()); }

struct Box {
  std::size_t nx, ny, nz;
  std::size_t size() const { return nx * ny * nz; }
};

CORPUS_REGION void randomise(Field& u, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = {corpus::random_real(seed, 2 * i), corpus::random_real(seed, 2 * i + 1)};
  }
}

inline double wave(std::size_t i, std::size_t n) {
  const double k = static_cast<double>(i < n / 2 ? i : n - i);
  return k * k;
}

/// exp(-4 alpha pi^2 |k|^2), alpha 1e-6 as in the benchmark.
CORPUS_REGION void decay(const Box& b, std::vector<double>& factor) {
  constexpr double a = -4e-6 * std::numbers::pi * std::numbers::pi;
#pragma omp parallel for
  for (std::size_t z = 0; z < b.nz; ++z) {
    for (std::size_t y = 0; y < b.ny; ++y) {
      for (std::size_t x = 0; x < b.nx; ++x) {
        factor[(z * b.ny + y) * b.nx + x] = std::exp(a * (wave(x, b.nx) + wave(y, b.ny) + wave(z, b.nz)));
      }
    }
  }
}

CORPUS_REGION void evolve(const std::vector<double>& factor, Field& u, Field& w) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] *= factor[i];
    w[i] = u[i];
  }
}

/// Stockham's transform of a line, between two buffers (Van Loan: Computational frameworks for the FFT, 1992, 1.7).
inline Complex* transform(Complex* a, Complex* b, std::size_t n, const Field& roots, bool inverse) {
  for (std::size_t half = n / 2, stride = 1; half > 0; half /= 2, stride *= 2) {
    for (std::size_t p = 0; p < half; ++p) {
      Complex root = roots[p * stride];
      if (inverse) root = std::conj(root);
      for (std::size_t q = 0; q < stride; ++q) {
        const Complex low = a[q + stride * p], high = a[q + stride * (p + half)];
        b[q + stride * 2 * p] = low + high;
        b[q + stride * (2 * p + 1)] = times(low - high, root);
      }
    }
    std::swap(a, b);
  }
  return a;
}

Field roots_of_unity(std::size_t n) {
  Field roots(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    roots[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
  }
  return roots;
}

CORPUS_REGION void along_x(const Box& b, Field& u, bool inverse) {
  const Field roots = roots_of_unity(b.nx);
  Field scratch(2 * lanes() * b.nx);
#pragma omp parallel
  {
    Complex *work = &scratch[2 * lane() * b.nx], *other = work + b.nx;
#pragma omp for
    for (std::size_t line = 0; line < b.ny * b.nz; ++line) {
      Complex* row = &u[line * b.nx];
      for (std::size_t x = 0; x < b.nx; ++x) work[x] = row[x];
      const Complex* done = transform(work, other, b.nx, roots, inverse);
      for (std::size_t x = 0; x < b.nx; ++x) row[x] = done[x];
    }
  }
}

CORPUS_REGION void along_y(const Box& b, Field& u, bool inverse) {
  const Field roots = roots_of_unity(b.ny);
  Field scratch(2 * lanes() * b.ny);
#pragma omp parallel
  {
    Complex *work = &scratch[2 * lane() * b.ny], *other = work + b.ny;
#pragma omp for collapse(2)
    for (std::size_t z = 0; z < b.nz; ++z) {
      for (std::size_t x = 0; x < b.nx; ++x) {
        Complex* column = &u[z * b.ny * b.nx + x];
        for (std::size_t y = 0; y < b.ny; ++y) work[y] = column[y * b.nx];
        const Complex* done = transform(work, other, b.ny, roots, inverse);
        for (std::size_t y = 0; y < b.ny; ++y) column[y * b.nx] = done[y];
      }
    }
  }
}

/// Sixteen lines at a time, so that whole cache lines are used (as the benchmark's own implementation blocks).
CORPUS_REGION void along_z(const Box& b, Field& u, bool inverse) {
  constexpr std::size_t block = 16;
  const Field roots = roots_of_unity(b.nz);
  const std::size_t plane = b.nx * b.ny;
  Field scratch(lanes() * b.nz * (block + 1));
#pragma omp parallel
  {
    Complex *work = &scratch[lane() * b.nz * (block + 1)], *other = work + b.nz * block;
#pragma omp for
    for (std::size_t first = 0; first < plane; first += block) {
      for (std::size_t z = 0; z < b.nz; ++z) {
        for (std::size_t l = 0; l < block; ++l) work[l * b.nz + z] = u[z * plane + first + l];
      }
      for (std::size_t l = 0; l < block; ++l) {
        const Complex* done = transform(&work[l * b.nz], other, b.nz, roots, inverse);
        for (std::size_t z = 0; z < b.nz; ++z) u[z * plane + first + l] = done[z];
      }
    }
  }
}

/// Of 1024 points far apart, as the benchmark has it.
CORPUS_REGION Complex checksum(const Box& b, const Field& u) {
  Complex sum = 0;
  for (std::size_t j = 1; j <= 1024; ++j) { sum += u[((5 * j % b.nz) * b.ny + 3 * j % b.ny) * b.nx + j % b.nx]; }
  return sum / static_cast<double>(b.size());
}

CORPUS_REGION double energy(const Field& u) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < u.size(); ++i) sum += std::norm(u[i]);
  return sum;
}

corpus::Answer ft(const corpus::Input& input) {
  const Box b = input.pick(Box{64, 32, 32}, Box{64, 64, 32});
  Field u(b.size()), w(b.size());
  std::vector<double> factor(b.size());
  randomise(u, input.seed);
  decay(b, factor);
  const double before = energy(u);
  along_x(b, u, false);
  along_y(b, u, false);
  along_z(b, u, false);
  const double parseval = energy(u) / static_cast<double>(b.size()) / before;
  evolve(factor, u, w);
  along_z(b, w, true);
  along_y(b, w, true);
  along_x(b, w, true);
  const Complex sum = checksum(b, w);
  return {sum.real() + sum.imag(), std::fabs(parseval - 1) < 1e-9};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, ft); }
