// Fourier transforms: in place with bit reversal, by four steps with transpositions, of real pairs in the plane;
// convolution, power spectrum, Goertzel's algorithm, the number-theoretic transform (Van Loan: Computational Frameworks
// for the FFT, 1992; Bailey: FFTs in external or hierarchical memory, 1990).
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "training/corpus/corpus.h"

namespace {

using Complex = std::complex<double>;
using Field = std::vector<Complex>;
using Numbers = std::vector<std::uint32_t>;

inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline Complex turn(std::size_t k, std::size_t n) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

CORPUS_REGION void signal(std::uint64_t seed, Field& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = {corpus::random_real(seed, i) - 0.5, std::sin(0.01 * static_cast<double>(i))};
  }
}

CORPUS_REGION void twiddles(Field& roots) {
#pragma omp parallel for
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = turn(i, 2 * roots.size());
}

/// Pairs of places with mirrored bits change: one of the two is far away.
template <class Value>
CORPUS_REGION void mirror(std::vector<Value>& x) {
  for (std::size_t i = 1, j = 0; i < x.size(); ++i) {
    std::size_t bit = x.size() / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

/// Butterflies within `most` neighbours: every thread's part stays with it.
CORPUS_REGION void near_stages(std::size_t most, const Field& roots, Field& x) {
#pragma omp parallel for
  for (std::size_t first = 0; first < x.size(); first += most) {
    for (std::size_t half = 1; half < most; half *= 2) {
      for (std::size_t group = first; group < first + most; group += 2 * half) {
        for (std::size_t k = 0; k < half; ++k) {
          const Complex high = times(x[group + half + k], roots[k * (x.size() / 2 / half)]), low = x[group + k];
          x[group + k] = low + high;
          x[group + half + k] = low - high;
        }
      }
    }
  }
}

/// The later stages, one pass over all of x for each.
CORPUS_REGION void far_stages(std::size_t first, const Field& roots, Field& x) {
  for (std::size_t half = first; half < x.size(); half *= 2) {
    const std::size_t step = x.size() / 2 / half;
#pragma omp parallel for
    for (std::size_t pair = 0; pair < x.size() / 2; ++pair) {
      const std::size_t k = pair % half, p = pair / half * 2 * half + k;
      const Complex high = times(x[p + half], roots[k * step]), low = x[p];
      x[p] = low + high;
      x[p + half] = low - high;
    }
  }
}

void forward(const Field& roots, Field& x) {
  mirror(x);
  near_stages(1024, roots, x);
  far_stages(1024, roots, x);
}

CORPUS_REGION void transpose(std::size_t rows, std::size_t columns, const Field& x, Field& y) {
#pragma omp parallel for schedule(static, 4)
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) y[c * rows + r] = x[r * columns + c];
  }
}

/// Many short transforms by definition (radix 16), and the twist of Bailey's four steps.
CORPUS_REGION void short_rows(std::size_t columns, Field& x) {
  constexpr std::size_t n = 16;
  Complex matrix[n];
  for (std::size_t k = 0; k < n; ++k) matrix[k] = turn(k, n);
#pragma omp parallel for
  for (std::size_t row = 0; row < columns; ++row) {
    Complex from[n];
    for (std::size_t k = 0; k < n; ++k) from[k] = x[row * n + k];
    for (std::size_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += times(from[j], matrix[j * k % n]);
      x[row * n + k] = sum;
    }
  }
}

CORPUS_REGION void twist(std::size_t columns, const Field& roots, Field& x) {
#pragma omp parallel for
  for (std::size_t row = 0; row < columns; ++row) {
    for (std::size_t k = 1; k < 16; ++k) {
      const std::size_t at = row * k % x.size();
      const Complex root = at < roots.size() ? roots[at] : -roots[at - roots.size()];
      x[row * 16 + k] = times(x[row * 16 + k], root);
    }
  }
}

/// The spectra of two real signals that were transformed as one: read from both ends.
CORPUS_REGION void separate(const Field& x, Field& first, Field& second) {
  const std::size_t n = x.size();
#pragma omp parallel for
  for (std::size_t k = 1; k < n; ++k) {
    const Complex a = x[k], b = std::conj(x[n - k]);
    first[k] = 0.5 * (a + b);
    second[k] = times(Complex(0, -0.5), a - b);
  }
}

CORPUS_REGION void multiply(const Field& a, const Field& b, Field& c) {
#pragma omp parallel for
  for (std::size_t k = 0; k < a.size(); ++k) c[k] = times(a[k], b[k]);
}

CORPUS_REGION void power(const Field& x, std::vector<float>& spectrum) {
#pragma omp parallel for
  for (std::size_t k = 0; k < x.size(); ++k) spectrum[k] = static_cast<float>(std::log1p(std::abs(x[k])));
}

CORPUS_REGION double energy(const Field& x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::norm(x[i]);
  return sum;
}

/// One frequency of the real part: a recurrence over the whole signal.
CORPUS_REGION double goertzel(const Field& x, std::size_t k) {
  const double c = 2 * turn(k, x.size()).real();
  double s1 = 0, s2 = 0;
  for (const Complex& value : x) s2 = std::exchange(s1, value.real() + c * s1 - s2);
  return s1 * s1 + s2 * s2 - c * s1 * s2;
}

constexpr std::uint64_t prime = 998'244'353;  // 119 * 2^23 + 1, of which 3 is a primitive root

std::uint64_t power_of(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent; exponent /= 2, base = base * base % prime) {
    if (exponent % 2) result = result * base % prime;
  }
  return result;
}

/// Modulo a prime: integer divisions instead of floating point.
CORPUS_REGION void number_theoretic(Numbers& x) {
  for (std::size_t half = 1; half < x.size(); half *= 8) {  // every third stage: a partial transform
    const std::uint64_t root = power_of(3, (prime - 1) / (2 * half));
#pragma omp parallel for
    for (std::size_t group = 0; group < x.size(); group += 2 * half) {
      std::uint64_t factor = 1;
      for (std::size_t k = group; k < group + half; ++k) {
        const std::uint64_t low = x[k], high = x[k + half] * factor % prime;
        x[k] = static_cast<std::uint32_t>((low + high) % prime);
        x[k + half] = static_cast<std::uint32_t>((low + prime - high) % prime);
        factor = factor * root % prime;
      }
    }
  }
}

corpus::Answer transforms(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(1 << 15, 1 << 16);
  Field x(n), y(n), z(n), roots(n / 2);
  std::vector<float> spectrum(n);
  signal(input.seed, x);
  twiddles(roots);
  const double before = energy(x), single = goertzel(x, n / 8);
  forward(roots, x);
  const double parseval = energy(x) / static_cast<double>(n) / before;
  separate(x, y, z);
  const double difference = std::fabs(std::norm(y[n / 8]) / single - 1);
  multiply(y, z, x);
  transpose(16, n / 16, x, y);
  short_rows(n / 16, y);
  twist(n / 16, roots, y);
  power(y, spectrum);
  Numbers numbers(8 * n);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i * i % prime);
  mirror(numbers);
  number_theoretic(numbers);
  double sum = numbers[5];
  for (const float value : spectrum) sum += static_cast<double>(value);
  return {sum, std::fabs(parseval - 1) < 1e-9 && difference < 1e-6};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, transforms); }
