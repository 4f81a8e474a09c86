// Quantum states that are not one vector: tableaus of stabilisers with gates on columns of bits, products of their rows
// and elimination, density matrices with noise on both sides, chains of matrices with gates on neighbours, a network of
// tensors that is contracted, errors of many runs as Pauli frames.
// Source: Aaronson, Gottesman, Physical Review A 70, 2004; Gidney, Quantum 5, 497, 2021 (frames); Nielsen, Chuang,
// Quantum Computation and Quantum Information, chapter 8 (noise); Vidal, Physical Review Letters 91, 2003 (chains);
// Markov, Shi, SIAM J. Computing 38, 2008 (networks).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::size_t;
using Word = std::uint64_t;
using Words = std::vector<Word>;
using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Products of X and Z for each of 2 n rows, [qubit][row]: gates work on columns, 64 rows a word. Signs apart.
struct Tableau {
  Index qubits, words;  // words of one column
  Words x, z, sign;
};

/// All qubits are 0: destabilisers X and stabilisers Z of one qubit each.
CORPUS_REGION void clear(Tableau& t) {
  for (Index q = 0; q < t.qubits; ++q) {
    t.x[q * t.words + q / 64] |= Word{1} << q % 64;
    const Index row = q + t.qubits;
    t.z[q * t.words + row / 64] |= Word{1} << row % 64;
  }
}

/// A layer of gates on one qubit each, Hadamard's or a phase. Lanes share the rows: a word of each column at a time.
CORPUS_REGION void hadamard_layer(std::uint64_t seed, Tableau& t) {
#pragma omp parallel for
  for (Index w = 0; w < t.words; ++w)
    for (Index q = 0; q < t.qubits; ++q) {
      Word &x = t.x[q * t.words + w], &z = t.z[q * t.words + w];
      if (corpus::random_bits(seed, q) & 1) {
        t.sign[w] ^= x & z;
        std::swap(x, z);
      } else {
        t.sign[w] ^= x & z;
        z ^= x;
      }
    }
}

/// Controlled gates of pairs one after the other: two columns each.
CORPUS_REGION void controlled_layer(Index distance, Tableau& t) {
  for (Index a = 0; a < t.qubits; ++a) {
    const Index b = (a + distance) % t.qubits;
    Word *const xa = &t.x[a * t.words], *const za = &t.z[a * t.words];
    Word *const xb = &t.x[b * t.words], *const zb = &t.z[b * t.words];
    for (Index w = 0; w < t.words; ++w) {
      t.sign[w] ^= xa[w] & zb[w] & ~(xb[w] ^ za[w]);
      xb[w] ^= xa[w];
      za[w] ^= zb[w];
    }
  }
}

/// Columns to rows in blocks of 64 x 64 bits: [row][qubit].
CORPUS_REGION void transpose(Index rows, Index columns, const Words& in, Words& out) {
#pragma omp parallel for
  for (Index block = 0; block < rows / 64; ++block)
    for (Index column = 0; column < columns / 64; ++column) {
      std::array<Word, 64> bits;
      for (Index i = 0; i < 64; ++i) bits[i] = in[(column * 64 + i) * (rows / 64) + block];
      Word mask = 0x00000000ffffffff;
      for (Index step = 32; step > 0; step /= 2, mask ^= mask << step)
        for (Index k = 0; k < 64; k = ((k | step) + 1) & ~step) {
          const Word change = ((bits[k] >> step) ^ bits[k | step]) & mask;
          bits[k] ^= change << step;
          bits[k | step] ^= change;
        }
      for (Index i = 0; i < 64; ++i) out[(block * 64 + i) * (columns / 64) + column] = bits[i];
    }
}

/// Do stabilisers commute, and does each destabiliser miss only its own? Rows x, z of both in words.
CORPUS_REGION Index wrong_products(const Words& x, const Words& z, Index qubits, Index step) {
  const Index words = qubits / 64;
  Index wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (Index a = 0; a < 2 * qubits; a += step)
    for (Index b = 0; b < 2 * qubits; ++b) {
      Word odd = 0;
      for (Index w = 0; w < words; ++w)
        odd ^= (x[a * words + w] & z[b * words + w]) ^ (z[a * words + w] & x[b * words + w]);
      wrong += (std::popcount(odd) % 2 == 1) != (a + qubits == b || b + qubits == a);
    }
  return wrong;
}

/// The rank of rows of bits, by elimination with all rows below at once.
CORPUS_REGION Index rank(Index words, Words& rows) {
  const Index count = rows.size() / words;
  Index found = 0;
  for (Index column = 0; column < words * 64 && found < count; ++column) {
    Index pivot = found;
    const auto bit = [&](Index row) { return rows[row * words + column / 64] >> column % 64 & 1; };
    while (pivot < count && !bit(pivot)) ++pivot;
    if (pivot == count) continue;
    std::swap_ranges(&rows[pivot * words], &rows[pivot * words] + words, &rows[found * words]);
#pragma omp parallel for
    for (Index row = found + 1; row < count; ++row)
      if (bit(row))
        for (Index w = 0; w < words; ++w) rows[row * words + w] ^= rows[found * words + w];
    ++found;
  }
  return found;
}

/// Errors of many runs at once, a bit each: [qubit][run]. Every controlled gate carries X on and Z back.
CORPUS_REGION void run_frames(std::uint64_t seed, Index runs, Words& x, Words& z) {
  const Index qubits = x.size() / runs;
#pragma omp parallel for
  for (Index w = 0; w < runs; ++w)
    for (Index q = 0; q + 1 < qubits; ++q) {
      const Word noise = corpus::random_bits(seed, q * runs + w) & corpus::random_bits(seed + 1, q * runs + w);
      x[q * runs + w] ^= noise & noise >> 7;
      x[(q + 1) * runs + w] ^= x[q * runs + w];
      z[q * runs + w] ^= z[(q + 1) * runs + w] ^ (noise & noise << 9);
    }
}

CORPUS_REGION Index flipped(const Words& x, Index runs) {
  Index count = 0;
#pragma omp parallel for reduction(+ : count)
  for (Index i = 0; i < x.size() - runs; ++i) count += static_cast<Index>(std::popcount(x[i] ^ x[i + runs]));
  return count;
}

/// A density matrix [row][column]; spread() puts a zero into a number.
Index spread(Index i, unsigned bit) { return (i >> bit << (bit + 1)) | (i & ((Index{1} << bit) - 1)); }

CORPUS_REGION void make_density(std::uint64_t seed, Index n, Numbers& rho) {
  Numbers state(n);
  double size = 0;
  for (Index i = 0; i < n; ++i) {
    state[i] = {corpus::random_real(seed, 2 * i) - 0.5, corpus::random_real(seed, 2 * i + 1) - 0.5};
    size += std::norm(state[i]);
  }
#pragma omp parallel for
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) rho[i * n + j] = times(state[i], std::conj(state[j])) / size;
}

/// A rotation from the left: pairs of rows.
CORPUS_REGION void turn_rows(double c, double s, unsigned qubit, Index n, Numbers& rho) {
#pragma omp parallel for
  for (Index i = 0; i < n / 2; ++i) {
    Complex *const low = &rho[spread(i, qubit) * n], *const high = low + (n << qubit);
    for (Index j = 0; j < n; ++j) {
      const Complex zero = low[j], one = high[j];
      low[j] = c * zero - s * one;
      high[j] = s * zero + c * one;
    }
  }
}

/// And from the right: pairs within a row.
CORPUS_REGION void turn_columns(double c, double s, unsigned qubit, Index n, Numbers& rho) {
#pragma omp parallel for
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n / 2; ++j) {
      Complex *const low = &rho[i * n + spread(j, qubit)], *const high = low + (Index{1} << qubit);
      const Complex zero = *low, one = *high;
      *low = c * zero - s * one;
      *high = s * zero + c * one;
    }
}

/// Loses energy with some probability: four numbers of each square are mixed.
CORPUS_REGION void damp(double loss, unsigned qubit, Index n, Numbers& rho) {
  const double keep = std::sqrt(1 - loss);
#pragma omp parallel for
  for (Index i = 0; i < n / 2; ++i)
    for (Index j = 0; j < n / 2; ++j) {
      const Index row = spread(i, qubit) * n, column = spread(j, qubit), bit = Index{1} << qubit;
      rho[row + column] += loss * rho[row + bit * n + column + bit];
      rho[row + column + bit] *= keep;
      rho[row + bit * n + column] *= keep;
      rho[row + bit * n + column + bit] *= 1 - loss;
    }
}

/// The sum over one qubit: a quarter of the matrix.
CORPUS_REGION void trace_out(unsigned qubit, Index n, const Numbers& rho, Numbers& rest) {
  const Index bit = Index{1} << qubit;
#pragma omp parallel for
  for (Index i = 0; i < n / 2; ++i)
    for (Index j = 0; j < n / 2; ++j) {
      const Index place = spread(i, qubit) * n + spread(j, qubit);
      rest[i * (n / 2) + j] = rho[place] + rho[place + bit * n + bit];
    }
}

/// 1 for a state without noise.
CORPUS_REGION double purity(const Numbers& rho) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < rho.size(); ++i) sum += std::norm(rho[i]);
  return sum;
}

/// How far it is from its conjugate, at most.
CORPUS_REGION double transposed(Index n, const Numbers& rho) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) most = std::max(most, std::norm(rho[i * n + j] - std::conj(rho[j * n + i])));
  return most;
}

/// A chain of matrices: site [left][spin][right], all of the same width.
struct Chain {
  Index width, sites;
  std::vector<double> a;
  double* site(Index i) { return &a[i * 2 * width * width]; }
};

CORPUS_REGION void make_chain(std::uint64_t seed, Chain& chain) {
#pragma omp parallel for
  for (Index i = 0; i < chain.a.size(); ++i)
    chain.a[i] = (corpus::random_real(seed, i) - 0.5) / std::sqrt(static_cast<double>(chain.width));
}

/// Rotates every spin: two rows of each matrix.
CORPUS_REGION void turn_spins(double c, double s, Chain& chain) {
  const Index w = chain.width;
#pragma omp parallel for
  for (Index row = 0; row < chain.sites * w; ++row) {
    double* const both = &chain.a[row * 2 * w];
    for (Index r = 0; r < w; ++r) {
      const double up = both[r], down = both[w + r];
      both[r] = c * up - s * down;
      both[w + r] = s * up + c * down;
    }
  }
}

/// The product of the chain with itself, from the left: two small products a site.
CORPUS_REGION double overlap(Chain& chain, std::vector<double>& left, std::vector<double>& half) {
  const Index w = chain.width;
  double scale = 0;
  for (Index i = 0; i < w * w; ++i) left[i] = i / w == i % w ? 1 : 0;
  for (Index site = 0; site < chain.sites; ++site) {
    const double* const a = chain.site(site);
    std::fill(half.begin(), half.end(), 0.0);
    for (Index l = 0; l < w; ++l)
      for (Index m = 0; m < w; ++m)
        for (Index sr = 0; sr < 2 * w; ++sr) half[l * 2 * w + sr] += left[l * w + m] * a[m * 2 * w + sr];
    std::fill(left.begin(), left.end(), 0.0);
    for (Index ls = 0; ls < 2 * w; ++ls)
      for (Index r = 0; r < w; ++r)
        for (Index q = 0; q < w; ++q) left[r * w + q] += a[ls * w + r] * half[ls * w + q];
    double size = 0;
    for (Index i = 0; i < w; ++i) size += left[i * w + i];
    for (double& value : left) value /= size;
    scale += std::log(size);
  }
  return scale;
}

/// A ladder of tensors with four legs of eight: a network row by row into one vector of 8^5 numbers, leg after leg.
CORPUS_REGION void contract(const std::vector<double>& tensor, Index leg, const std::vector<double>& in,
                            std::vector<double>& out) {
  const Index inner = Index{1} << 3 * leg, outer = in.size() / inner / 64;
#pragma omp parallel for collapse(2)
  for (Index o = 0; o < outer; ++o)
    for (Index ab = 0; ab < 64; ++ab) {
      double* const row = &out[(o * 64 + ab) * inner];
      std::fill_n(row, inner, 0.0);
      for (Index cd = 0; cd < 64; ++cd)
        for (Index i = 0; i < inner; ++i) row[i] += tensor[ab * 64 + cd] * in[(o * 64 + cd) * inner + i];
    }
}

corpus::Answer program(const corpus::Input& input) {
  const Index qubits = input.pick<Index>(1'024, 1'536), words = 2 * qubits / 64;
  Tableau t{qubits, words, Words(qubits * words), Words(qubits * words), Words(words)};
  clear(t);
  for (std::uint64_t layer = 0; layer < 3; ++layer) {
    hadamard_layer(input.seed + layer, t);
    controlled_layer(1 + 37 * layer, t);
  }
  Words x(t.x.size()), z(t.z.size());
  transpose(2 * qubits, qubits, t.x, x);
  transpose(2 * qubits, qubits, t.z, z);
  bool right = wrong_products(x, z, qubits, 97) == 0;
  const Index entangled = rank(qubits / 64, x);
  const Index runs = input.pick<Index>(600, 1'000);
  Words frame_x(128 * runs), frame_z(128 * runs);
  for (std::uint64_t round = 0; round < 2; ++round) run_frames(input.seed + 2 * round, runs, frame_x, frame_z);
  const Index errors = flipped(frame_x, runs);

  const unsigned noisy = input.pick(8u, 9u);
  const Index n = Index{1} << noisy;
  Numbers rho(n * n), rest(n * n / 4);
  make_density(input.seed, n, rho);
  right = right && std::fabs(purity(rho) - 1) < 1e-9;
  for (const unsigned qubit : {0u, noisy / 2, noisy - 1}) {
    turn_rows(0.8, 0.6, qubit, n, rho);
    turn_columns(0.8, 0.6, qubit, n, rho);
    damp(0.1, qubit, n, rho);
  }
  trace_out(noisy / 2, n, rho, rest);
  double trace = 0;
  for (Index i = 0; i < n / 2; ++i) trace += rest[i * (n / 2) + i].real();
  const double pure = purity(rho);
  right = right && std::fabs(trace - 1) < 1e-9 && pure < 1 && transposed(n, rho) < 1e-20;

  Chain chain{24, input.pick<Index>(120, 200), {}};
  chain.a.resize(chain.sites * 2 * chain.width * chain.width);
  make_chain(input.seed, chain);
  std::vector<double> left(chain.width * chain.width), half(2 * left.size());
  const double before = overlap(chain, left, half);
  turn_spins(0.8, 0.6, chain);
  right = right && std::fabs(overlap(chain, left, half) - before) < 1e-6;
  std::vector<double> tensor(64 * 64), vector(Index{1} << 15, 1.0), next(vector.size());
  for (Index i = 0; i < tensor.size(); ++i) tensor[i] = corpus::random_real(input.seed, i) / 64;
  for (Index leg = 0; leg < 4; ++leg, vector.swap(next)) contract(tensor, leg, vector, next);
  const auto sum = static_cast<double>(entangled + errors);
  return {.checksum = sum + pure + before + vector[99], .right = right && entangled <= qubits};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
