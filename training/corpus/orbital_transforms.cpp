// Correlation energies from repulsion integrals with four indices: a transformation one index at a time, permutations,
// packing by symmetry, second-order perturbation in two ways, ladders and rings of coupled clusters, sums by fitted
// densities.
// Source: Szabo, Ostlund, Modern Quantum Chemistry, chapter 6; Helgaker, Jorgensen, Olsen, Molecular Electronic-
// Structure Theory, chapters 13, 14; Almlof, Chem. Phys. Lett. 181, 1991 (Laplace transform); Feyereisen, Fitzgerald,
// Komornicki, Chem. Phys. Lett. 208, 1993 (fitted densities).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Values = std::vector<double>;
using Index = std::size_t;

/// Occupied orbitals come first.
struct Sizes {
  Index occupied, empty, fitted;
  Index all() const { return occupied + empty; }
};

/// Factors [P][p][q], symmetric in p and q.
CORPUS_REGION void make_factors(const Sizes& s, std::uint64_t seed, Values& b) {
  const Index n = s.all();
#pragma omp parallel for
  for (Index f = 0; f < s.fitted; ++f)
    for (Index p = 0; p < n; ++p)
      for (Index q = 0; q < n; ++q)
        b[(f * n + p) * n + q] = corpus::random_real(seed, (f * n + std::min(p, q)) * n + std::max(p, q)) - 0.5;
}

/// [pq][rs] as the product of the factors with themselves: a panel of 32 values of rs at a time.
CORPUS_REGION void assemble(const Values& b, Index pairs, Values& integrals) {
#pragma omp parallel for
  for (Index pq = 0; pq < pairs; ++pq)
    for (Index first = 0; first < pairs; first += 32) {
      std::array<double, 32> sum{};
      const Index width = std::min<Index>(32, pairs - first);
      for (Index f = 0; f < b.size() / pairs; ++f)
        for (Index k = 0; k < width; ++k) sum[k] += b[f * pairs + pq] * b[f * pairs + first + k];
      std::copy_n(sum.begin(), width, &integrals[pq * pairs + first]);
    }
}

/// A rotation among all orbitals, [old][new].
CORPUS_REGION void make_rotation(Index n, Values& c) {
  for (Index p = 0; p < n; ++p) {
    double size = 0;
    for (Index q = 0; q < n; ++q) {
      c[p * n + q] = std::cos(M_PI * static_cast<double>(p) * (static_cast<double>(q) + 0.5) / static_cast<double>(n));
      size += c[p * n + q] * c[p * n + q];
    }
    for (Index q = 0; q < n; ++q) c[p * n + q] /= std::sqrt(size);
  }
}

/// The last index: rows.
CORPUS_REGION void transform_last(const Values& c, Index n, const Values& in, Values& out) {
#pragma omp parallel for
  for (Index row = 0; row < n * n * n; ++row) {
    std::fill_n(&out[row * n], n, 0.0);
    for (Index s = 0; s < n; ++s)
      for (Index t = 0; t < n; ++t) out[row * n + t] += in[row * n + s] * c[s * n + t];
  }
}

/// The third index: small matrices, one after the other.
CORPUS_REGION void transform_third(const Values& c, Index n, const Values& in, Values& out) {
#pragma omp parallel for
  for (Index block = 0; block < n * n; ++block)
    for (Index t = 0; t < n; ++t) {
      double* const row = &out[(block * n + t) * n];
      std::fill_n(row, n, 0.0);
      for (Index r = 0; r < n; ++r)
        for (Index s = 0; s < n; ++s) row[s] += c[r * n + t] * in[(block * n + r) * n + s];
    }
}

/// The second index: rows of n * n numbers.
CORPUS_REGION void transform_second(const Values& c, Index n, const Values& in, Values& out) {
  const Index width = n * n;
#pragma omp parallel for collapse(2)
  for (Index p = 0; p < n; ++p)
    for (Index t = 0; t < n; ++t) {
      double* const row = &out[(p * n + t) * width];
      std::fill_n(row, width, 0.0);
      for (Index q = 0; q < n; ++q)
        for (Index k = 0; k < width; ++k) row[k] += c[q * n + t] * in[(p * n + q) * width + k];
    }
}

/// The first index: n streams far from each other, for each number.
CORPUS_REGION void transform_first(const Values& c, Index n, const Values& in, Values& out) {
  const Index width = n * n * n;
#pragma omp parallel for
  for (Index k = 0; k < width; ++k) {
    std::array<double, 64> column;
    for (Index p = 0; p < n; ++p) column[p] = in[p * width + k];
    for (Index t = 0; t < n; ++t) {
      double sum = 0;
      for (Index p = 0; p < n; ++p) sum += c[p * n + t] * column[p];
      out[t * width + k] = sum;
    }
  }
}

/// The factors themselves: c^T b c for each one, by lanes with a scratch matrix of their own.
CORPUS_REGION void transform_factors(const Values& c, Index n, Values& b) {
#pragma omp parallel for schedule(static, 1)
  for (Index f = 0; f < b.size() / (n * n); ++f) {
    std::array<double, 64> row;
    double* const m = &b[f * n * n];
    for (int side = 0; side < 2; ++side) {
      for (Index p = 0; p < n; ++p) {
        row.fill(0);
        for (Index q = 0; q < n; ++q)
          for (Index t = 0; t < n; ++t) row[t] += m[p * n + q] * c[q * n + t];
        std::copy_n(row.begin(), n, m + p * n);
      }
      for (Index p = 0; p < n; ++p)
        for (Index q = 0; q < p; ++q) std::swap(m[p * n + q], m[q * n + p]);
    }
  }
}

CORPUS_REGION double difference(const Values& a, const Values& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (Index i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

/// Chemists' (pq|rs) to physicists' <pr|qs>.
CORPUS_REGION void exchange_middle(Index n, const Values& in, Values& out) {
#pragma omp parallel for collapse(2)
  for (Index p = 0; p < n; ++p)
    for (Index r = 0; r < n; ++r)
      for (Index q = 0; q < n; ++q)
        for (Index s = 0; s < n; ++s) out[((p * n + r) * n + q) * n + s] = in[((p * n + q) * n + r) * n + s];
}

/// Only p >= q, r >= s and pq >= rs: an eighth.
CORPUS_REGION void pack(Index n, const Values& in, Values& packed) {
  Index next = 0;
  for (Index p = 0; p < n; ++p)
    for (Index q = 0; q <= p; ++q)
      for (Index r = 0; r <= p; ++r)
        for (Index s = 0; s <= (r == p ? q : r); ++s) packed[next++] = in[((p * n + q) * n + r) * n + s];
}

Index triangle(Index a, Index b) { return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }

/// All of them again, each from its place in the packed list.
CORPUS_REGION double compare_packed(Index n, const Values& packed, const Values& all) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (Index pq = 0; pq < n * n; ++pq)
    for (Index r = 0; r < n; ++r)
      for (Index s = 0; s < n; ++s) {
        const double one = packed[triangle(triangle(pq / n, pq % n), triangle(r, s))];
        most = std::max(most, std::fabs(one - all[(pq * n + r) * n + s]));
      }
  return most;
}

/// Second order, straight from (ia|jb) within the whole table; amplitudes [ij][ab] are kept.
CORPUS_REGION double perturb(const Sizes& s, const Values& level, const Values& v, Values& t) {
  const Index n = s.all(), o = s.occupied, e = s.empty;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index ij = 0; ij < o * o; ++ij)
    for (Index a = 0; a < e; ++a)
      for (Index b = 0; b < e; ++b) {
        const Index i = ij / o, j = ij % o;
        const double direct = v[((i * n + o + a) * n + j) * n + o + b];
        const double crossed = v[((i * n + o + b) * n + j) * n + o + a];
        const double gap = level[i] + level[j] - level[o + a] - level[o + b];
        t[(ij * e + a) * e + b] = direct / gap;
        sum += direct * (2 * direct - crossed) / gap;
      }
  return sum;
}

/// The direct part by Laplace's transform: factors are weighted at each of some points, pairs are summed over.
CORPUS_REGION double laplace(const Sizes& s, const Values& level, const Values& b, double point, Values& weighted) {
  const Index n = s.all(), o = s.occupied, e = s.empty;
#pragma omp parallel for
  for (Index f = 0; f < s.fitted; ++f)
    for (Index i = 0; i < o; ++i)
      for (Index a = 0; a < e; ++a)
        weighted[(f * o + i) * e + a] = b[(f * n + i) * n + o + a] * std::exp((level[i] - level[o + a]) * point / 2);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 1)
  for (Index f = 0; f < s.fitted; ++f)
    for (Index g = 0; g <= f; ++g) {
      double dot = 0;
      for (Index k = 0; k < o * e; ++k) dot += weighted[f * o * e + k] * weighted[g * o * e + k];
      sum += (f == g ? 1 : 2) * dot * dot;
    }
  return sum;
}

/// Amplitudes [ij][cd] times (ac|bd) over c and d.
CORPUS_REGION void ladder(const Sizes& s, const Values& physicists, const Values& t, Values& r) {
  const Index n = s.all(), o = s.occupied, e = s.empty;
#pragma omp parallel for
  for (Index ab = 0; ab < e * e; ++ab)
    for (Index ij = 0; ij < o * o; ++ij) {
      double sum = 0;
      for (Index c = 0; c < e; ++c)
        for (Index d = 0; d < e; ++d)
          sum += physicists[(((o + ab / e) * n + o + ab % e) * n + o + c) * n + o + d] * t[(ij * e + c) * e + d];
      r[ij * e * e + ab] = sum;
    }
}

/// Amplitudes of i k, a c times (kc|jb): two pairs of indices that are apart.
CORPUS_REGION void ring(const Sizes& s, const Values& v, const Values& t, Values& r) {
  const Index n = s.all(), o = s.occupied, e = s.empty;
#pragma omp parallel for collapse(2)
  for (Index i = 0; i < o; ++i)
    for (Index j = 0; j < o; ++j)
      for (Index k = 0; k < o; ++k)
        for (Index a = 0; a < e; ++a)
          for (Index c = 0; c < e; ++c)
            for (Index b = 0; b < e; ++b)
              r[((i * o + j) * e + a) * e + b] +=
                  t[((i * o + k) * e + a) * e + c] * v[((k * n + o + c) * n + j) * n + o + b];
}

/// The Coulomb matrix by fitted densities.
CORPUS_REGION void fitted_coulomb(Index pairs, const Values& b, const Values& density, Values& j) {
  for (Index f = 0; f < b.size() / pairs; ++f) {
    double dot = 0;
    for (Index k = 0; k < pairs; ++k) dot += b[f * pairs + k] * density[k];
    for (Index k = 0; k < pairs; ++k) j[k] += dot * b[f * pairs + k];
  }
}

/// The same from all integrals.
CORPUS_REGION void full_coulomb(Index pairs, const Values& v, const Values& density, Values& j) {
#pragma omp parallel for
  for (Index pq = 0; pq < pairs; ++pq)
    for (Index k = 0; k < pairs; ++k) j[pq] += v[pq * pairs + k] * density[k];
}

/// Exchange from all integrals: (pr|qs) with the density of r and s, at strides.
CORPUS_REGION void full_exchange(Index n, const Values& v, const Values& density, Values& k) {
#pragma omp parallel for
  for (Index pq = 0; pq < n * n; ++pq)
    for (Index r = 0; r < n; ++r)
      for (Index s = 0; s < n; ++s) k[pq] += v[((pq / n * n + r) * n + pq % n) * n + s] * density[r * n + s];
}

corpus::Answer program(const corpus::Input& input) {
  const Sizes s = input.pick(Sizes{7, 15, 56}, Sizes{8, 18, 64});
  const Index n = s.all(), pairs = n * n, excited = s.occupied * s.occupied * s.empty * s.empty;
  Values b(s.fitted * pairs), v(pairs * pairs), w(pairs * pairs), c(pairs), level(n), density(pairs), t(excited), r(t);
  make_factors(s, input.seed, b);
  assemble(b, pairs, v);
  make_rotation(n, c);
  transform_last(c, n, v, w);
  transform_third(c, n, w, v);
  transform_second(c, n, v, w);
  transform_first(c, n, w, v);
  transform_factors(c, n, b);
  assemble(b, pairs, w);
  bool right = difference(v, w) < 1e-9;
  Values packed(triangle(triangle(n - 1, n - 1), triangle(n - 1, n - 1)) + 1);
  pack(n, v, packed);
  right = right && compare_packed(n, packed, v) < 1e-9;
  for (Index p = 0; p < n; ++p) level[p] = static_cast<double>(p) * 0.1 + (p < s.occupied ? -2 : 1);
  double energy = perturb(s, level, v, t), direct = 0;
  Values weighted(s.fitted * s.occupied * s.empty);
  for (int point = 0; point < 2; ++point) direct += laplace(s, level, b, 0.1 + 0.2 * point, weighted);
  exchange_middle(n, v, w);
  ladder(s, w, t, r);
  ring(s, v, t, r);
  for (Index i = 0; i < pairs; ++i) density[i] = i / n == i % n && i / n < s.occupied ? 2 : 0.01;
  Values fitted(pairs), full(pairs), exchange(pairs);
  fitted_coulomb(pairs, b, density, fitted);
  full_coulomb(pairs, v, density, full);
  full_exchange(n, v, density, exchange);
  right = right && difference(fitted, full) < 1e-8 && energy < 0;
  for (const double x : r) energy += x * 1e-3;
  return {.checksum = energy + direct + exchange[n + 1], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
