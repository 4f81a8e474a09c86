// Tensors of three and four indices: MTTKRP and TTV with a sparse tensor in coordinates, MTTKRP over compressed fibres,
// dense contractions in two orders, a permutation of indices, a mode product, Khatri-Rao and Gram products. Source:
// Kolda and Bader, SIAM Review 51(3), 2009; Smith et al., SPLATT, IPDPS 2015.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Matrix = std::vector<double>;  ///< [row][rank]
constexpr std::size_t rank = 8;

struct Entry {
  std::uint32_t i, j, k;
  float value;
};

CORPUS_REGION std::vector<Entry> make_tensor(std::size_t count, const std::size_t (&side)[3], corpus::Random& random) {
  std::vector<Entry> entries(count);
  for (Entry& e : entries)
    e = {random.below(side[0]), random.below(side[1]), random.below(side[2]), static_cast<float>(random.unit())};
  return entries;
}

CORPUS_REGION void fill(Matrix& m, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = corpus::random_real(seed, i) - 0.5;
}

/// Entries in any order: two rows are gathered, one is scattered to.
CORPUS_REGION void mttkrp_coordinates(const std::vector<Entry>& tensor, const Matrix& b, const Matrix& c, Matrix& out) {
#pragma omp parallel for
  for (std::size_t e = 0; e < tensor.size(); ++e) {
    const Entry& entry = tensor[e];
    for (std::size_t r = 0; r < rank; ++r)
#pragma omp atomic
      out[entry.i * rank + r] += static_cast<double>(entry.value) * b[entry.j * rank + r] * c[entry.k * rank + r];
  }
}

struct Fibres {
  std::vector<std::uint32_t> slice, fibre, j, k;  ///< slice -> fibres -> entries
  std::vector<float> value;
};

CORPUS_REGION void sort_entries(std::vector<Entry>& tensor) {
  std::sort(tensor.begin(), tensor.end(), [](const Entry& a, const Entry& b) {
    return a.i != b.i ? a.i < b.i : a.j != b.j ? a.j < b.j : a.k < b.k;
  });
}

CORPUS_REGION Fibres compress(const std::vector<Entry>& tensor, std::size_t slices) {
  Fibres f;
  for (std::size_t e = 0; e < tensor.size(); ++e) {
    if (e == 0 || tensor[e].i != tensor[e - 1].i || tensor[e].j != tensor[e - 1].j) {
      while (f.slice.size() <= tensor[e].i) f.slice.push_back(static_cast<std::uint32_t>(f.j.size()));
      f.fibre.push_back(static_cast<std::uint32_t>(e));
      f.j.push_back(tensor[e].j);
    }
    f.k.push_back(tensor[e].k);
    f.value.push_back(tensor[e].value);
  }
  while (f.slice.size() <= slices) f.slice.push_back(static_cast<std::uint32_t>(f.j.size()));
  f.fibre.push_back(static_cast<std::uint32_t>(tensor.size()));
  return f;
}

CORPUS_REGION void mttkrp_fibres(const Fibres& f, const Matrix& b, const Matrix& c, Matrix& out) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t i = 0; i < f.slice.size() - 1; ++i) {
    double row[rank] = {};
    for (std::uint32_t fibre = f.slice[i]; fibre < f.slice[i + 1]; ++fibre) {
      double sum[rank] = {};
      for (std::uint32_t e = f.fibre[fibre]; e < f.fibre[fibre + 1]; ++e)
        for (std::size_t r = 0; r < rank; ++r) sum[r] += static_cast<double>(f.value[e]) * c[f.k[e] * rank + r];
      for (std::size_t r = 0; r < rank; ++r) row[r] += sum[r] * b[f.j[fibre] * rank + r];
    }
    std::copy_n(row, rank, out.begin() + static_cast<std::ptrdiff_t>(i * rank));
  }
}

CORPUS_REGION void times_vector(const std::vector<Entry>& tensor, const Matrix& v, std::size_t columns, Matrix& out) {
  for (const Entry& e : tensor) out[e.i * columns + e.j % columns] += static_cast<double>(e.value) * v[e.k];
}

/// m^T m: every lane adds up a table of its own, then they are added.
CORPUS_REGION void gram(const Matrix& m, Matrix& product) {
#pragma omp parallel
  {
    double sum[rank * rank] = {};
#pragma omp for
    for (std::size_t row = 0; row < m.size() / rank; ++row)
      for (std::size_t a = 0; a < rank; ++a)
        for (std::size_t b = 0; b < rank; ++b) sum[a * rank + b] += m[row * rank + a] * m[row * rank + b];
#pragma omp critical
    for (std::size_t i = 0; i < rank * rank; ++i) product[i] += sum[i];
  }
}

struct Dense {
  explicit Dense(std::size_t length) : side(length), value(length * length * length) {}
  std::size_t side;
  std::vector<float> value;
};

/// out[c][a][b] = in[a][b][c]
CORPUS_REGION void permute(const Dense& in, Dense& out) {
  const std::size_t n = in.side;
#pragma omp parallel for
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t ab = 0; ab < n * n; ++ab) out.value[c * n * n + ab] = in.value[ab * n + c];
}

/// out[a][p][c] = sum over b of in[a][b][c] m[b][p], p < 4: streams along c.
CORPUS_REGION void mode_product(const Dense& in, const std::vector<float>& m, std::vector<float>& out) {
  const std::size_t n = in.side;
#pragma omp parallel for
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t p = 0; p < 4; ++p)
        for (std::size_t c = 0; c < n; ++c) out[(a * 4 + p) * n + c] += m[b * 4 + p] * in.value[(a * n + b) * n + c];
}

/// out[a][c] = sum over b and d of x[a][b][d] y[d][b][c], for some a and c: strides in both.
CORPUS_REGION double contract(const Dense& x, const Dense& y, std::size_t step) {
  const std::size_t n = x.side;
  double total = 0;
#pragma omp parallel for collapse(2) reduction(+ : total)
  for (std::size_t a = 0; a < n; a += step)
    for (std::size_t c = 0; c < n; c += step) {
      float sum = 0;
      for (std::size_t d = 0; d < n; ++d)
        for (std::size_t b = 0; b < n; ++b) sum += x.value[(a * n + b) * n + d] * y.value[(d * n + b) * n + c];
      total += static_cast<double>(std::fabs(sum));
    }
  return total;
}

CORPUS_REGION void khatri_rao(const Matrix& b, const Matrix& c, std::size_t rows, Matrix& out) {
#pragma omp parallel for
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t r = 0; r < rank; ++r) out[(j * rows + k) * rank + r] = b[j * rank + r] * c[k * rank + r];
}

CORPUS_REGION double difference(const Matrix& a, const Matrix& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t side[3] = {input.pick<std::size_t>(6'000, 9'000), input.pick<std::size_t>(3'000, 5'000), 12'000};
  std::vector<Entry> tensor = make_tensor(input.pick<std::size_t>(50'000, 80'000), side, random);
  Matrix b(side[1] * rank), c(side[2] * rank), out(side[0] * rank), again(side[0] * rank);
  fill(b, 1);
  fill(c, 2);
  mttkrp_coordinates(tensor, b, c, out);
  Matrix sums(side[0] * 32);
  times_vector(tensor, c, 32, sums);
  sort_entries(tensor);
  mttkrp_fibres(compress(tensor, side[0]), b, c, again);
  const bool right = difference(out, again) < 1e-9;
  Matrix product(rank * rank);
  gram(out, product);
  const std::size_t n = input.pick<std::size_t>(64, 88);
  Dense x(n), y(n);
  for (std::size_t i = 0; i < x.value.size(); ++i) x.value[i] = static_cast<float>(i % 17) - 8;
  permute(x, y);
  std::vector<float> m(4 * n, 0.5f), modes(4 * n * n);
  mode_product(x, m, modes);
  const double total = contract(x, y, n / 4);
  Matrix joined(160 * 160 * rank);
  khatri_rao(b, c, 160, joined);
  return {.checksum = total + product[rank + 2] + sums[5] + static_cast<double>(modes[3]) + joined[99], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
