// Schwarz methods on a plane with rough coefficients: overlapping subdomains with a banded Cholesky factor each (rate
// style), the additive method with a coarse space of constants inside conjugate gradients, the restricted one, and the
// multiplicative one in four colours.
// Source: Smith, Bjorstad, Gropp: Domain Decomposition, chapters 1 and 2; Cai and Sarkis, SIAM J. Sci. Comput. 21, 1999
// (restricted additive); Nicolaides, SIAM J. Numer. Anal. 24, 1987 (coarse space).
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Vector = std::vector<double>;

constexpr std::size_t core = 13, overlap = 2, width = core + 2 * overlap, points = width * width, band = width + 1;

/// A frame of `overlap` points with the value 0 lies around the plane.
struct Plane {
  std::size_t blocks, side, pitch;  ///< subdomains along one edge; points; points with the frame
  Vector east, south;               ///< coefficients of the edges to the next point
  explicit Plane(std::size_t b)
      : blocks(b), side(b * core), pitch(side + 2 * overlap), east(pitch * pitch), south(pitch * pitch) {}
  std::size_t size() const { return pitch * pitch; }
  std::size_t at(std::size_t y, std::size_t x) const { return (y + overlap) * pitch + x + overlap; }
  /// The first point of a subdomain, overlap included.
  std::size_t corner(std::size_t block) const { return block / blocks * core * pitch + block % blocks * core; }
};

CORPUS_REGION void find_coefficients(Plane& plane, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < plane.size(); ++i) {
    plane.east[i] = std::exp2(2 * corpus::random_real(seed, 2 * i));
    plane.south[i] = std::exp2(2 * corpus::random_real(seed, 2 * i + 1));
  }
}

double diagonal(const Plane& p, std::size_t i) {
  return p.east[i] + p.east[i - 1] + p.south[i] + p.south[i - p.pitch] + 0.01;
}

double row_product(const Plane& p, const Vector& u, std::size_t i) {
  return diagonal(p, i) * u[i] - p.east[i] * u[i + 1] - p.east[i - 1] * u[i - 1] - p.south[i] * u[i + p.pitch] -
         p.south[i - p.pitch] * u[i - p.pitch];
}

/// r = b - A u; the square of r.
CORPUS_REGION double residual(const Plane& plane, const Vector& b, const Vector& u, Vector& r) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x) {
      const std::size_t i = plane.at(y, x);
      r[i] = b[i] - row_product(plane, u, i);
      square += r[i] * r[i];
    }
  return square;
}

/// q = A p; returns p . q.
CORPUS_REGION double apply(const Plane& plane, const Vector& p, Vector& q) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot) schedule(dynamic, 4)
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x) {
      const std::size_t i = plane.at(y, x);
      q[i] = row_product(plane, p, i);
      dot += p[i] * q[i];
    }
  return dot;
}

/// The lower bands of all subdomains' matrices: entry (i, i - band + 1 + k) is at [i][k]; points of the frame have 1.
CORPUS_REGION void gather_matrices(const Plane& plane, Vector& factors) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t block = 0; block < plane.blocks * plane.blocks; ++block)
    for (std::size_t i = 0; i < points; ++i) {
      const std::size_t place = plane.corner(block) + i / width * plane.pitch + i % width;
      const std::size_t y = place / plane.pitch - overlap, x = place % plane.pitch - overlap;  // the frame: large
      double* row = &factors[(block * points + i) * band];
      if (y >= plane.side || x >= plane.side) {
        row[band - 1] = 1;
        continue;
      }
      row[band - 1] = diagonal(plane, place);
      if (i % width > 0 && x > 0) row[band - 2] = -plane.east[place - 1];
      if (i >= width && y > 0) row[0] = -plane.south[place - plane.pitch];
    }
}

/// Cholesky's factors in place, the inverse of the pivot on the diagonal.
CORPUS_REGION void factorise(std::size_t count, Vector& factors) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t block = 0; block < count; ++block)
    for (std::size_t i = 0; i < points; ++i) {
      double* row = &factors[(block * points + i) * band];
      for (std::size_t k = i < band ? band - 1 - i : 0; k < band; ++k) {
        const double* other = row - (band - 1 - k) * band;  // row i - band + 1 + k
        double sum = row[k];
        for (std::size_t l = i < band ? band - 1 - i : 0; l < k; ++l) sum -= row[l] * other[l + band - 1 - k];
        row[k] = k + 1 < band ? sum * other[band - 1] : 1 / std::sqrt(sum);
      }
    }
}

CORPUS_REGION void gather_sides(const Plane& plane, const Vector& r, Vector& local) {
#pragma omp parallel for
  for (std::size_t block = 0; block < plane.blocks * plane.blocks; ++block)
    for (std::size_t y = 0; y < width; ++y)
      for (std::size_t x = 0; x < width; ++x)
        local[block * points + y * width + x] = r[plane.corner(block) + y * plane.pitch + x];
}

void solve_forwards(const double* factor, double* x) {
  for (std::size_t i = 0; i < points; ++i) {
    const double* row = factor + i * band;
    double sum = x[i];
    for (std::size_t k = i < band ? band - 1 - i : 0; k + 1 < band; ++k) sum -= row[k] * x[i + k + 1 - band];
    x[i] = sum * row[band - 1];
  }
}

void solve_backwards(const double* factor, double* x) {
  for (std::size_t i = points; i-- > 0;) {
    const double* row = factor + i * band;
    x[i] *= row[band - 1];
    for (std::size_t k = i < band ? band - 1 - i : 0; k + 1 < band; ++k) x[i + k + 1 - band] -= row[k] * x[i];
  }
}

CORPUS_REGION void forwards(std::size_t count, const Vector& factors, Vector& local) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t block = 0; block < count; ++block)
    solve_forwards(&factors[block * points * band], &local[block * points]);
}

CORPUS_REGION void backwards(std::size_t count, const Vector& factors, Vector& local) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t block = 0; block < count; ++block)
    solve_backwards(&factors[block * points * band], &local[block * points]);
}

/// z += what all subdomains say about each point; those of one colour do not overlap.
CORPUS_REGION void add_all(const Plane& plane, const Vector& local, Vector& z) {
#pragma omp parallel
  for (std::size_t colour = 0; colour < 4; ++colour)
#pragma omp for collapse(2)
    for (std::size_t v = colour / 2; v < plane.blocks; v += 2)
      for (std::size_t u = colour % 2; u < plane.blocks; u += 2) {
        const std::size_t block = v * plane.blocks + u;
        for (std::size_t i = 0; i < points; ++i)
          z[plane.corner(block) + i / width * plane.pitch + i % width] += local[block * points + i];
      }
}

/// z += what the subdomain says that owns the point.
CORPUS_REGION void add_own(const Plane& plane, const Vector& local, Vector& z) {
#pragma omp parallel for
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x) {
      const std::size_t block = y / core * plane.blocks + x / core;
      z[plane.at(y, x)] += local[block * points + (y % core + overlap) * width + x % core + overlap];
    }
}

/// Sums over the cores.
CORPUS_REGION void restrict_to_blocks(const Plane& plane, const Vector& r, Vector& coarse) {
#pragma omp parallel for
  for (std::size_t block = 0; block < coarse.size(); ++block) {
    double sum = 0;
    for (std::size_t y = overlap; y < overlap + core; ++y)
      for (std::size_t x = overlap; x < overlap + core; ++x) sum += r[plane.corner(block) + y * plane.pitch + x];
    coarse[block] = sum;
  }
}

/// The edges between two cores: the matrix of the coarse space is a plane of blocks.
CORPUS_REGION void sum_edges(const Plane& plane, Vector& east, Vector& south) {
#pragma omp parallel for
  for (std::size_t block = 0; block < east.size(); ++block) {
    const std::size_t first = plane.corner(block) + overlap * plane.pitch + overlap;
    double right = 0, below = 0;
    for (std::size_t k = 0; k < core; ++k) {
      right += plane.east[first + k * plane.pitch + core - 1];
      below += plane.south[first + (core - 1) * plane.pitch + k];
    }
    east[block] = right, south[block] = below;
  }
}

/// Gauss and Seidel on the blocks, forwards and backwards, by one lane: few points.
void solve_coarse(std::size_t n, const Vector& east, const Vector& south, const Vector& b, Vector& x) {
  const auto relax = [&](std::size_t i) {
    double sum = b[i], weight = 0.01 * static_cast<double>(core * core);
    const auto edge = [&](bool inner, double c, std::size_t other) {
      weight += c;
      if (inner) sum += c * x[other];
    };
    edge(i % n + 1 < n, east[i], i + 1), edge(i / n + 1 < n, south[i], i + n);
    edge(i % n > 0, east[i % n > 0 ? i - 1 : i], i - 1), edge(i >= n, south[i >= n ? i - n : i], i - n);
    x[i] = sum / weight;
  };
  std::fill(x.begin(), x.end(), 0.0);
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (std::size_t i = 0; i < x.size(); ++i) relax(i);
    for (std::size_t i = x.size(); i-- > 0;) relax(i);
  }
}

CORPUS_REGION void prolong(const Plane& plane, const Vector& coarse, Vector& z) {
#pragma omp parallel for collapse(2)
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x) z[plane.at(y, x)] = coarse[y / core * plane.blocks + x / core];
}

/// Subdomain after subdomain within a colour's lanes: each sees what the colours before it have changed.
CORPUS_REGION void multiplicative(const Plane& plane, const Vector& factors, const Vector& b, Vector& local,
                                  Vector& u) {
#pragma omp parallel
  for (std::size_t colour = 0; colour < 4; ++colour)
#pragma omp for collapse(2) schedule(static, 1)
    for (std::size_t v = colour / 2; v < plane.blocks; v += 2)
      for (std::size_t w = colour % 2; w < plane.blocks; w += 2) {
        const std::size_t block = v * plane.blocks + w;
        double* x = &local[block * points];
        const auto each = [&](auto use) {
          for (std::size_t y = v * core; y < v * core + width; ++y)
            for (std::size_t z = w * core; z < w * core + width; ++z)
              if (y - overlap < plane.side && z - overlap < plane.side)
                use(y * plane.pitch + z, x[(y - v * core) * width + z - w * core]);
        };
        std::fill(x, x + points, 0.0);
        each([&](std::size_t i, double& value) { value = b[i] - row_product(plane, u, i); });
        solve_forwards(&factors[block * points * band], x);
        solve_backwards(&factors[block * points * band], x);
        each([&](std::size_t i, double& value) { u[i] += value; });
      }
}

CORPUS_REGION double dot(const Vector& a, const Vector& b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// y = x + factor y
CORPUS_REGION void turn(const Vector& x, double factor, Vector& y) {
#pragma omp parallel for
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + factor * y[i];
}

CORPUS_REGION void descend(double alpha, const Vector& p, const Vector& q, Vector& u, Vector& r) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += alpha * p[i], r[i] -= alpha * q[i];
}

corpus::Answer program(const corpus::Input& input) {
  Plane plane(input.pick<std::size_t>(10, 13));
  const std::size_t count = plane.blocks * plane.blocks;
  find_coefficients(plane, input.seed);
  Vector factors(count * points * band), local(count * points), coarse(count), coarse_z(count), east(count);
  Vector south(count), b(plane.size()), u(b.size()), r(b.size()), z(b.size()), p(b.size()), q(b.size());
  gather_matrices(plane, factors);
  factorise(count, factors);
  sum_edges(plane, east, south);
  for (std::size_t y = 0; y < plane.side; ++y) std::fill_n(&b[plane.at(y, 0)], plane.side, 1.0);

  const double start = residual(plane, b, u, r);
  double old = 1;
  for (int iteration = 0; iteration < 4; ++iteration) {  // additive, with the coarse space
    restrict_to_blocks(plane, r, coarse);
    solve_coarse(plane.blocks, east, south, coarse, coarse_z);
    prolong(plane, coarse_z, z);
    gather_sides(plane, r, local);
    forwards(count, factors, local);
    backwards(count, factors, local);
    add_all(plane, local, z);
    const double rho = dot(r, z);
    turn(z, rho / old, p);
    descend(rho / apply(plane, p, q), p, q, u, r);
    old = rho;
  }
  const double additive = residual(plane, b, u, r);
  gather_sides(plane, r, local);
  forwards(count, factors, local);
  backwards(count, factors, local);
  add_own(plane, local, u);
  const double restricted = residual(plane, b, u, r);
  multiplicative(plane, factors, b, local, u);
  const double last = residual(plane, b, u, r);
  const bool right = last < 0.02 * start && restricted < additive && last < restricted;
  return {.checksum = std::sqrt(dot(u, u)) + std::sqrt(last / start), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
