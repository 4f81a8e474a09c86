// Turbulence in a periodic plane, pseudo-spectral: vorticity is kept as Fourier coefficients, products are formed on
// the grid. Transforms by rows and by columns (columns through blocks), dealiasing, Poisson's equation, Heun's steps
// with an exact factor of viscosity, spectra and correlations.
// Source: Orszag, J. Fluid Mech. 49, 1971; Canuto et al., Spectral Methods, Fundamentals in Single Domains, chapters 2
// and 3; Rogallo, NASA TM 81315, 1981 (integrating factor).
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Complex = std::complex<double>;
using Plane = std::vector<Complex>;

struct Waves {
  std::size_t n;
  std::vector<Complex> roots;  ///< exp(-2 pi i k / n)
  explicit Waves(std::size_t side) : n(side), roots(side) {
    for (std::size_t k = 0; k < n; ++k)
      roots[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  /// The wave number of a place.
  double number(std::size_t k) const { return static_cast<double>(k) - (2 * k < n ? 0.0 : static_cast<double>(n)); }
  double square(std::size_t i) const {
    const double x = number(i % n), y = number(i / n);
    return x * x + y * y;
  }
};

Complex times(Complex a, Complex b) {  // without the standard's care for infinities
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// In place, by halves in frequency, then bit reversal; without scaling.
void transform_line(const Waves& waves, Complex* line, bool inverse) {
  const std::size_t n = waves.n;
  for (std::size_t half = n / 2, step = 1; half > 0; half /= 2, step *= 2)
    for (std::size_t begin = 0; begin < n; begin += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = line[begin + k], b = line[begin + k + half], root = waves.roots[k * step];
        line[begin + k] = a + b;
        line[begin + k + half] = times(a - b, inverse ? std::conj(root) : root);
      }
  for (std::size_t i = 1, j = n / 2; i < n - 1; ++i) {
    if (i < j) std::swap(line[i], line[j]);
    std::size_t bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j |= bit;
  }
}

CORPUS_REGION void transform_rows(const Waves& waves, Plane& f, bool inverse) {
#pragma omp parallel for
  for (std::size_t y = 0; y < waves.n; ++y) transform_line(waves, &f[y * waves.n], inverse);
}

/// Eight columns at a time are copied to a lane's own lines and back.
CORPUS_REGION void transform_columns(const Waves& waves, Plane& f, bool inverse) {
  constexpr std::size_t wide = 8;
  std::vector<std::array<Complex, wide * 256>> lines(waves.n / wide);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t block = 0; block < waves.n / wide; ++block) {
    Complex* line = lines[block].data();
    for (std::size_t y = 0; y < waves.n; ++y)
      for (std::size_t k = 0; k < wide; ++k) line[k * waves.n + y] = f[y * waves.n + block * wide + k];
    for (std::size_t k = 0; k < wide; ++k) transform_line(waves, &line[k * waves.n], inverse);
    for (std::size_t y = 0; y < waves.n; ++y)
      for (std::size_t k = 0; k < wide; ++k) f[y * waves.n + block * wide + k] = line[k * waves.n + y];
  }
}

void transform(const Waves& waves, Plane& f, bool inverse) {
  transform_rows(waves, f, inverse);
  transform_columns(waves, f, inverse);
}

/// Random phases, a peak at wave number 6; the coefficients of (-x, -y) are conjugate, since vorticity is real.
CORPUS_REGION void start(const Waves& waves, Plane& w, std::uint64_t seed) {
  const std::size_t n = waves.n;
#pragma omp parallel for schedule(static, 256)
  for (std::size_t i = 1; i < w.size(); ++i) {
    const std::size_t mirror = (n - i / n) % n * n + (n - i % n) % n;
    const double k2 = waves.square(i), size = 200 * k2 * std::exp(-k2 / 18) / (1 + k2);
    const Complex value = std::polar(size, 2 * std::numbers::pi * corpus::random_real(seed, std::min(i, mirror)));
    w[i] = i <= mirror ? value : std::conj(value);
    if (i == mirror) w[i] = 0;
  }
}

/// Both velocities in one complex field, u + i v: the stream function is w / k^2.
CORPUS_REGION void velocities(const Waves& waves, const Plane& w, Plane& out) {
#pragma omp parallel for collapse(2)
  for (std::size_t y = 0; y < waves.n; ++y)
    for (std::size_t x = 0; x < waves.n; ++x) {
      const std::size_t i = y * waves.n + x;
      const double kx = waves.number(x), ky = waves.number(y), k2 = std::max(kx * kx + ky * ky, 1.0);
      const Complex psi = w[i] / k2;  // u = d psi / dy, v = -d psi / dx
      out[i] = Complex(0, ky) * psi + Complex(0, 1) * (Complex(0, -kx) * psi);
    }
}

/// Both derivatives of vorticity, packed likewise.
CORPUS_REGION void gradients(const Waves& waves, const Plane& w, Plane& out) {
#pragma omp parallel for
  for (std::size_t y = 0; y < waves.n; ++y) {
    const double ky = waves.number(y);
    for (std::size_t x = 0; x < waves.n; ++x)
      out[y * waves.n + x] = times(w[y * waves.n + x], Complex(-ky, waves.number(x)));
  }
}

/// out = -(u dw/dx + v dw/dy) over the number of points, which the transforms do not divide by.
CORPUS_REGION void advect(const Plane& velocity, const Plane& gradient, Plane& out) {
  const double scale = -1 / static_cast<double>(out.size());
#pragma omp parallel for
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = scale * (velocity[i].real() * gradient[i].real() + velocity[i].imag() * gradient[i].imag());
}

/// What lies above two thirds of the largest wave number has been folded back: away with it.
CORPUS_REGION std::size_t dealias(const Waves& waves, Plane& f) {
  const double limit = static_cast<double>(waves.n) / 3;
  std::size_t dropped = 0;
#pragma omp parallel for reduction(+ : dropped)
  for (std::size_t i = 0; i < f.size(); ++i)
    if (std::fabs(waves.number(i % waves.n)) > limit || std::fabs(waves.number(i / waves.n)) > limit)
      f[i] = 0, ++dropped;
  return dropped;
}

CORPUS_REGION void decay_factors(const Waves& waves, double viscosity, double step, std::vector<double>& factor) {
#pragma omp parallel for
  for (std::size_t i = 0; i < factor.size(); ++i) factor[i] = std::exp(-viscosity * step * waves.square(i));
}

CORPUS_REGION void predict(const Plane& w, const Plane& slope, const std::vector<double>& factor, double step,
                           Plane& out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < w.size(); ++i) out[i] = factor[i] * (w[i] + step * slope[i]);
}

CORPUS_REGION void correct(const Plane& first, const Plane& second, const std::vector<double>& factor, double step,
                           Plane& w) {
#pragma omp parallel for
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = factor[i] * (w[i] + 0.5 * step * first[i]) + 0.5 * step * second[i];
}

CORPUS_REGION double energy(const Waves& waves, const Plane& w) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 1; i < w.size(); ++i) sum += std::norm(w[i]) / waves.square(i);
  return sum;
}

/// Energy by shells: a histogram by each lane.
CORPUS_REGION void spectrum(const Waves& waves, const Plane& w, std::vector<double>& shells) {
  double* sum = shells.data();
  const std::size_t count = shells.size();
#pragma omp parallel for reduction(+ : sum[ : count])
  for (std::size_t i = 1; i < w.size(); ++i)
    sum[static_cast<std::size_t>(std::sqrt(waves.square(i)) + 0.5)] += std::norm(w[i]) / waves.square(i);
}

/// The largest absolute value.
CORPUS_REGION double largest(const Plane& f) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < f.size(); ++i) most = std::max(most, std::norm(f[i]));
  return std::sqrt(most);
}

/// How far from being conjugate mirror images of each other coefficients are: two streams, one of them backwards.
CORPUS_REGION double imaginary_part(const Waves& waves, const Plane& w) {
  double most = 0;
  const std::size_t n = waves.n;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < w.size(); ++i)
    most = std::max(most, std::abs(w[i] - std::conj(w[(n - i / n) % n * n + (n - i % n) % n])));
  return most;
}

/// Second-order structure function along rows: grid points at distances of powers of two.
CORPUS_REGION double structure(const Waves& waves, const Plane& velocity) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < velocity.size(); ++i)
    for (std::size_t d = 1; d < waves.n; d *= 4)
      sum += std::norm(velocity[i] - velocity[i / waves.n * waves.n + (i + d) % waves.n]);
  return sum / static_cast<double>(velocity.size());
}

/// slope = the coefficients of the advection of w.
void find_slope(const Waves& waves, const Plane& w, Plane& velocity, Plane& gradient, Plane& slope) {
  velocities(waves, w, velocity);
  gradients(waves, w, gradient);
  transform(waves, velocity, true);
  transform(waves, gradient, true);
  advect(velocity, gradient, slope);
  transform(waves, slope, false);
  dealias(waves, slope);
}

corpus::Answer program(const corpus::Input& input) {
  const Waves waves(input.pick<std::size_t>(128, 256));
  const std::size_t size = waves.n * waves.n;
  Plane w(size), velocity(size), gradient(size), first(size), second(size), next(size);
  std::vector<double> factor(size), shells(waves.n);
  start(waves, w, input.seed);
  dealias(waves, w);
  const double viscosity = 0.002, before = energy(waves, w);
  find_slope(waves, w, velocity, gradient, first);
  const double step = 1 / (largest(velocity) * static_cast<double>(waves.n));
  decay_factors(waves, viscosity, step, factor);
  predict(w, first, factor, step, next);
  find_slope(waves, next, velocity, gradient, second);
  correct(first, second, factor, step, w);
  spectrum(waves, w, shells);
  double sum = 0;
  for (const double shell : shells) sum += shell;
  const double after = energy(waves, w), rest = imaginary_part(waves, w) / largest(w);
  const bool right = after < before && after > 0.99 * before && rest < 1e-12 && std::fabs(sum / after - 1) < 1e-12;
  return {.checksum = after / before + structure(waves, velocity) / before, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
