// Transforms: Fourier, cosine, and two that only move data.
#include <cmath>
#include <complex>
#include <numbers>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> roots_of_unity(std::size_t n) {
  std::vector<Complex> roots(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    roots[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  return roots;
}

/// Stockham's order: every pass reads one array and writes the other, without reversing bits.
void pass(std::size_t n, std::size_t half, const Complex* roots, const Complex* from, Complex* to) {
  const std::size_t groups = n / 2 / half;
  for (std::size_t group = 0; group < groups; ++group) {
    const Complex root = roots[group * half];
    for (std::size_t i = 0; i < half; ++i) {
      const Complex a = from[group * half + i];
      const Complex b = from[n / 2 + group * half + i];
      const Complex d = a - b;
      to[2 * group * half + i] = a + b;
      to[(2 * group + 1) * half + i] = {d.real() * root.real() - d.imag() * root.imag(),
                                        d.real() * root.imag() + d.imag() * root.real()};
    }
  }
}

/// n: a power of two.
Kernel fft(std::size_t n) {
  std::vector<Complex> input(n);
  Random random;
  for (Complex& value : input) value = {random.unit(), random.unit()};
  return [n, input = std::move(input), roots = roots_of_unity(n), a = std::vector<Complex>(n),
          b = std::vector<Complex>(n)]() mutable {
    a = input;
    for (std::size_t half = 1; half < n; half *= 2) {
      pass(n, half, roots.data(), a.data(), b.data());
      std::swap(a, b);
    }
    return a[1].real();
  };
}

constexpr std::size_t edge = 8;

/// One block of 8 x 8: C * X * C^T, as in JPEG.
void transform_block(const float* cosine, const float* in, float* out, std::size_t width) {
  float half_done[edge * edge];
  for (std::size_t u = 0; u < edge; ++u) {
    for (std::size_t x = 0; x < edge; ++x) {
      float sum = 0;
      for (std::size_t y = 0; y < edge; ++y) sum += cosine[u * edge + y] * in[y * width + x];
      half_done[u * edge + x] = sum;
    }
  }
  for (std::size_t u = 0; u < edge; ++u) {
    for (std::size_t v = 0; v < edge; ++v) {
      float sum = 0;
      for (std::size_t x = 0; x < edge; ++x) sum += cosine[v * edge + x] * half_done[u * edge + x];
      out[u * width + v] = sum;
    }
  }
}

void transform_image(std::size_t width, const float* cosine, const float* in, float* out) {
#pragma omp parallel for
  for (std::size_t y = 0; y < width; y += edge) {
    for (std::size_t x = 0; x < width; x += edge) {
      transform_block(cosine, in + y * width + x, out + y * width + x, width);
    }
  }
}

/// An image of n x n; n: a multiple of 8.
Kernel dct(std::size_t n) {
  std::vector<float> cosine(edge * edge);
  for (std::size_t u = 0; u < edge; ++u) {
    for (std::size_t x = 0; x < edge; ++x) {
      const double angle = static_cast<double>((2 * x + 1) * u) * std::numbers::pi / 16;
      cosine[u * edge + x] = static_cast<float>(0.5 * std::cos(angle) * (u == 0 ? std::numbers::sqrt2 / 2 : 1));
    }
  }
  const std::vector<double> reals = random_reals(n * n);
  return [n, cosine = std::move(cosine), in = std::vector<float>(reals.begin(), reals.end()),
          out = std::vector<float>(n * n)]() mutable {
    transform_image(n, cosine.data(), in.data(), out.data());
    return static_cast<double>(out[n + 1]);
  };
}

void transpose_matrix(std::size_t n, const double* from, double* to) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) to[i * n + j] = from[j * n + i];
  }
}

Kernel transpose(std::size_t n) {
  return [n, from = random_reals(n * n), to = std::vector<double>(n * n)]() mutable {
    transpose_matrix(n, from.data(), to.data());
    return to[n + 1];
  };
}

Kernel prefix_sum(std::size_t n) {
  return [n, in = random_below(n, 100), out = std::vector<std::uint64_t>(n)]() mutable {
    std::uint64_t sum = 0;
    const std::uint32_t* const from = in.data();
    std::uint64_t* const to = out.data();
    for (std::size_t i = 0; i < n; ++i) to[i] = sum += from[i];
    return static_cast<double>(sum);
  };
}

constexpr Entry entries[] = {{"fft", fft, Threads::copies, 1 << 17, 40, 1 << 12},
                             {"dct", dct, Threads::share, 1024, 60, 128},
                             {"transpose", transpose, Threads::share, 2500, 10, 200},
                             {"prefix-sum", prefix_sum, Threads::copies, 8'000'000, 30, 20'000}};

}  // namespace

std::span<const Entry> transform_kernels() { return entries; }

}  // namespace host
