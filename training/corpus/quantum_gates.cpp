// The state of a quantum computer as a vector of complex amplitudes: gates on one, two and three qubits at all strides,
// diagonal and permuting ones, several gates in one pass, the Fourier transform, Grover's search, measurement, reduced
// density matrices, energies of Pauli products, Trotter steps.
// Source: Nielsen, Chuang, Quantum Computation and Quantum Information, chapters 4 to 6; Haner, Steiger, SC 2017
// (gates in cache); Smelyanskiy, Sawaya, Aspuru-Guzik, arXiv:1601.07195.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Complex = std::complex<double>;
using State = std::vector<Complex>;
using Gate = std::array<Complex, 4>;  // rows of a 2 x 2 matrix
using Index = std::size_t;

/// Without the special cases of infinities.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// A rotation that mixes both amplitudes with phases.
Gate rotation(double angle, double phase) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {Complex(c), -std::polar(s, -phase), std::polar(s, phase), Complex(c)};
}

/// The number with a zero put in at the bit.
Index spread(Index i, unsigned bit) { return (i >> bit << (bit + 1)) | (i & ((Index{1} << bit) - 1)); }

CORPUS_REGION void randomise(std::uint64_t seed, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size(); ++i)
    state[i] = {corpus::random_real(seed, 2 * i) - 0.5, corpus::random_real(seed, 2 * i + 1) - 0.5};
}

CORPUS_REGION double norm(const State& state) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < state.size(); ++i) sum += std::norm(state[i]);
  return sum;
}

CORPUS_REGION void scale(double factor, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size(); ++i) state[i] *= factor;
}

/// Pairs of neighbours: the lowest qubit.
CORPUS_REGION void apply_lowest(const Gate& g, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size(); i += 2) {
    const Complex zero = state[i], one = state[i + 1];
    state[i] = times(g[0], zero) + times(g[1], one);
    state[i + 1] = times(g[2], zero) + times(g[3], one);
  }
}

/// Any qubit, two streams at the distance of 2^qubit.
CORPUS_REGION void apply(const Gate& g, unsigned qubit, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size() / 2; ++i) {
    const Index low = spread(i, qubit), high = low | Index{1} << qubit;
    const Complex zero = state[low], one = state[high];
    state[low] = times(g[0], zero) + times(g[1], one);
    state[high] = times(g[2], zero) + times(g[3], one);
  }
}

/// Only where the control is set: a quarter of the vector is read, in runs.
CORPUS_REGION void apply_controlled_not(unsigned control, unsigned target, State& state) {
  const unsigned low = std::min(control, target), high = std::max(control, target);
#pragma omp parallel for
  for (Index i = 0; i < state.size() / 4; ++i) {
    const Index at = spread(spread(i, low), high) | Index{1} << control;
    std::swap(state[at], state[at | Index{1} << target]);
  }
}

/// A full matrix on two qubits: four streams.
CORPUS_REGION void apply_two(const std::array<Complex, 16>& g, unsigned low, unsigned high, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size() / 4; ++i) {
    const Index base = spread(spread(i, low), high), a = Index{1} << low, b = Index{1} << high;
    const std::array<Index, 4> at{base, base | a, base | b, base | a | b};
    std::array<Complex, 4> old;
    for (Index k = 0; k < 4; ++k) old[k] = state[at[k]];
    for (Index row = 0; row < 4; ++row) {
      Complex sum = 0;
      for (Index k = 0; k < 4; ++k) sum += times(g[row * 4 + k], old[k]);
      state[at[row]] = sum;
    }
  }
}

/// A gate on each of the lowest ten qubits in turn, while 1024 amplitudes are in a cache.
CORPUS_REGION void apply_blocked(const Gate& g, State& state) {
#pragma omp parallel for schedule(static)
  for (Index block = 0; block < state.size(); block += 1024)
    for (Index stride = 1; stride < 1024; stride *= 2)
      for (Index i = block; i < block + 1024; i += 2 * stride)
        for (Index k = i; k < i + stride; ++k) {
          const Complex zero = state[k], one = state[k + stride];
          state[k] = times(g[0], zero) + times(g[1], one);
          state[k + stride] = times(g[2], zero) + times(g[3], one);
        }
}

/// Toffoli: an eighth of the amplitudes changes places, looked for by a test of bits.
CORPUS_REGION void toffoli(unsigned a, unsigned b, unsigned target, State& state) {
  const Index controls = Index{1} << a | Index{1} << b, flip = Index{1} << target;
#pragma omp parallel for
  for (Index i = 0; i < state.size(); ++i)
    if ((i & controls) == controls && !(i & flip)) std::swap(state[i], state[i | flip]);
}

/// Phases of all pairs at once: a diagonal gate.
CORPUS_REGION void ising_phases(double angle, unsigned qubits, State& state) {
  std::vector<Complex> phase(qubits + 1);
  for (unsigned k = 0; k <= qubits; ++k) phase[k] = std::polar(1.0, angle * (qubits - 2.0 * k));
#pragma omp parallel for
  for (Index i = 0; i < state.size(); ++i) {
    const Index turned = i >> 1 | (i & 1) * (state.size() / 2);
    state[i] = times(state[i], phase[static_cast<unsigned>(std::popcount(i ^ turned))]);
  }
}

/// Qubits in reversed order: a permutation over the whole vector.
CORPUS_REGION void reverse_qubits(unsigned qubits, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size(); ++i) {
    Index j = 0;
    for (unsigned bit = 0; bit < qubits; ++bit) j |= (i >> bit & 1) << (qubits - 1 - bit);
    if (i < j) std::swap(state[i], state[j]);
  }
}

/// One stage of the Fourier transform: Hadamard, then phases that depend on all lower bits.
CORPUS_REGION void fourier_stage(unsigned qubit, State& state) {
  const Index stride = Index{1} << qubit;
#pragma omp parallel for
  for (Index i = 0; i < state.size() / 2; ++i) {
    const Index low = spread(i, qubit), high = low | stride;
    const double turn = std::numbers::pi * static_cast<double>(low & (stride - 1)) / static_cast<double>(stride);
    const Complex zero = state[low], one = state[high];
    state[low] = (zero + one) * std::numbers::sqrt2 * 0.5;
    state[high] = times((zero - one) * std::numbers::sqrt2 * 0.5, std::polar(1.0, turn));
  }
}

/// One round of Grover's search: the sign of what is looked for, then reflection at the mean.
CORPUS_REGION Complex mark_and_sum(Index wanted, State& state) {
  double real = 0, imaginary = 0;
  state[wanted] = -state[wanted];
#pragma omp parallel for reduction(+ : real, imaginary)
  for (Index i = 0; i < state.size(); ++i) real += state[i].real(), imaginary += state[i].imag();
  return {real, imaginary};
}

CORPUS_REGION void reflect(Complex mean, State& state) {
#pragma omp parallel for
  for (Index i = 0; i < state.size(); ++i) state[i] = 2.0 * mean - state[i];
}

/// The matrix of three neighbouring qubits, all others summed over.
CORPUS_REGION double reduced_purity(unsigned lowest, const State& state) {
  std::array<double, 128> rho{};
  double* const sums = rho.data();
#pragma omp parallel for reduction(+ : sums[ : 128])
  for (Index i = 0; i < state.size() / 8; ++i) {
    const Index base = (i >> lowest << (lowest + 3)) | (i & ((Index{1} << lowest) - 1));
    for (Index a = 0; a < 8; ++a)
      for (Index b = 0; b < 8; ++b) {
        const Complex entry = times(state[base | a << lowest], std::conj(state[base | b << lowest]));
        sums[(a * 8 + b) * 2] += entry.real();
        sums[(a * 8 + b) * 2 + 1] += entry.imag();
      }
  }
  double purity = 0;
  for (const double x : rho) purity += x * x;
  return purity;
}

/// Running sums of probabilities, and where random numbers fall.
CORPUS_REGION void accumulate(const State& state, std::vector<double>& sums) {
  double sum = 0;
  for (Index i = 0; i < state.size(); ++i) sums[i] = sum += std::norm(state[i]);
}

CORPUS_REGION Index measure(const std::vector<double>& sums, std::uint64_t seed, Index count) {
  Index total = 0;
#pragma omp parallel for reduction(+ : total)
  for (Index i = 0; i < count; ++i) {
    const double coin = corpus::random_real(seed, i) * sums.back();
    total += static_cast<Index>(std::lower_bound(sums.begin(), sums.end(), coin) - sums.begin()) & 1;
  }
  return total;
}

/// The mean of X on some qubits times Z on others: amplitudes far apart, with signs.
CORPUS_REGION double pauli(Index x, Index z, const State& state) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < state.size(); ++i) {
    const double product = times(std::conj(state[i ^ x]), state[i]).real();
    sum += std::popcount(i & z) % 2 == 0 ? product : -product;
  }
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  const unsigned qubits = input.pick(17u, 18u);
  State state(Index{1} << qubits);
  randomise(input.seed, state);
  scale(1 / std::sqrt(norm(state)), state);
  const Gate gate = rotation(0.3, 0.7), inverse = rotation(-0.3, 0.7);
  std::array<Complex, 16> two{};
  for (Index i = 0; i < 16; ++i) two[i] = times(gate[i / 8 * 2 + i / 2 % 2], inverse[i / 4 % 2 * 2 + i % 2]);
  const double before = pauli(0b11, Index{1} << (qubits - 1), state);
  apply(gate, qubits - 1, state), apply(inverse, qubits - 1, state);
  apply(gate, 5, state), apply_two(two, 5, qubits - 2, state);
  apply(inverse, qubits - 2, state), apply(gate, qubits - 2, state);
  const double purity = reduced_purity(4, state);
  apply_lowest(gate, state);
  apply_controlled_not(0, qubits - 3, state), apply_controlled_not(qubits - 3, 3, state);
  apply_blocked(gate, state), toffoli(2, 7, qubits - 1, state);
  ising_phases(0.1, qubits, state);
  const double energy = pauli(Index{1} << 9 | 1, 6, state);
  for (unsigned qubit = qubits; qubit-- > qubits - 4;) fourier_stage(qubit, state);
  reverse_qubits(qubits, state);
  std::vector<double> sums(state.size());
  accumulate(state, sums);
  const Index odd = measure(sums, input.seed, 8000);
  const bool same = std::fabs(norm(state) - 1) < 1e-9 && std::fabs(sums.back() - 1) < 1e-9 && std::fabs(before) < 1;
  std::fill(state.begin(), state.end(), Complex(1 / std::sqrt(static_cast<double>(state.size()))));
  const Index wanted = state.size() / 3;
  for (int round = 0; round < 3; ++round) {
    const Complex sum = mark_and_sum(wanted, state);
    reflect(sum / static_cast<double>(state.size()), state);
  }
  // After k rounds the amplitude is the sine of 2 k + 1 times the first angle.
  const double angle = std::asin(1 / std::sqrt(static_cast<double>(state.size())));
  const bool found = std::fabs(state[wanted].real() - std::sin(7 * angle)) < 1e-9;
  return {.checksum = purity + energy + before + static_cast<double>(odd), .right = same && found};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
