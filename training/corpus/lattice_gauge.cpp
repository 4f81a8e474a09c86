// A gauge field of 3 x 3 complex matrices on a lattice of four dimensions: plaquettes, staples, smearing with a
// projection back to unitary matrices, the Wilson hopping term on spinors, linear algebra of spinors, a
// conjugate-gradient step. Source: Gattringer and Lang, Quantum Chromodynamics on the Lattice, 2010, chapters 2, 5, 8;
// Albanese et al., Phys. Lett. B 192, 1987 (smearing).
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

struct Complex {
  float re, im;
};

Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex conjugate(Complex a) { return {a.re, -a.im}; }

struct Matrix {
  Complex c[3][3];
};

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) r.c[i][j] = r.c[i][j] + a.c[i][k] * b.c[k][j];
  return r;
}

Matrix adjoint(const Matrix& a) {
  Matrix r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.c[i][j] = conjugate(a.c[j][i]);
  return r;
}

/// Gram and Schmidt on the rows; the third is the vector product of the others, conjugated.
void make_unitary(Matrix& m) {
  const auto normalise = [&](int row) {
    float square = 0;
    for (const Complex x : m.c[row]) square += x.re * x.re + x.im * x.im;
    const float scale = 1 / std::sqrt(square);
    for (Complex& x : m.c[row]) x = {x.re * scale, x.im * scale};
  };
  normalise(0);
  Complex dot{};
  for (int k = 0; k < 3; ++k) dot = dot + conjugate(m.c[0][k]) * m.c[1][k];
  for (int k = 0; k < 3; ++k) m.c[1][k] = m.c[1][k] - dot * m.c[0][k];
  normalise(1);
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    m.c[2][k] = conjugate(m.c[0][a] * m.c[1][b] - m.c[0][b] * m.c[1][a]);
  }
}

struct Lattice {
  std::array<std::size_t, 4> side;
  std::size_t sites() const { return side[0] * side[1] * side[2] * side[3]; }
};

using Neighbours = std::vector<std::array<std::uint32_t, 8>>;  ///< of a site: four ahead, four behind
using Field = std::vector<std::array<Matrix, 4>>;

CORPUS_REGION Neighbours find_neighbours(const Lattice& l) {
  Neighbours n(l.sites());
  for (std::size_t site = 0; site < n.size(); ++site)
    for (std::size_t mu = 0, stride = 1; mu < 4; stride *= l.side[mu], ++mu) {
      const std::size_t x = site / stride % l.side[mu], rest = site - x * stride;
      n[site][mu] = static_cast<std::uint32_t>(rest + (x + 1) % l.side[mu] * stride);
      n[site][mu + 4] = static_cast<std::uint32_t>(rest + (x + l.side[mu] - 1) % l.side[mu] * stride);
    }
  return n;
}

CORPUS_REGION void start(Field& u, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t site = 0; site < u.size(); ++site)
    for (std::size_t mu = 0; mu < 4; ++mu) {
      for (int k = 0; k < 9; ++k) {
        const std::uint64_t bits = corpus::random_bits(seed, (site * 4 + mu) * 9 + static_cast<std::uint64_t>(k));
        const float re = static_cast<float>(bits & 65535) / 65536, im = static_cast<float>(bits >> 16 & 65535) / 65536;
        u[site][mu].c[k / 3][k % 3] = {re - 0.5f + (k % 4 == 0 ? 1.0f : 0.0f), im - 0.5f};
      }
      make_unitary(u[site][mu]);
    }
}

/// The mean of Re tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+ / 3 over one plane.
CORPUS_REGION double plaquette(const Field& u, const Neighbours& n, std::size_t mu, std::size_t nu) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t x = 0; x < u.size(); ++x) {
    const Matrix there = u[x][mu] * u[n[x][mu]][nu], back = u[x][nu] * u[n[x][nu]][mu];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) sum += static_cast<double>((there.c[i][k] * conjugate(back.c[i][k])).re);
  }
  return sum / 3 / static_cast<double>(u.size());
}

/// Links of one direction and what goes around them in a plane, made unitary again.
CORPUS_REGION void smear(const Field& u, const Neighbours& n, std::size_t mu, std::size_t nu,
                         std::vector<Matrix>& out) {
#pragma omp parallel for
  for (std::size_t x = 0; x < u.size(); ++x) {
    const std::size_t below = n[x][nu + 4];
    const Matrix over = u[x][nu] * u[n[x][nu]][mu] * adjoint(u[n[x][mu]][nu]);
    const Matrix under = adjoint(u[below][nu]) * u[below][mu] * u[n[below][mu]][nu];
    Matrix sum = u[x][mu];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const Complex around = over.c[i][k] + under.c[i][k];
        sum.c[i][k] = sum.c[i][k] + Complex{0.2f * around.re, 0.2f * around.im};
      }
    make_unitary(sum);
    out[x] = sum;
  }
}

CORPUS_REGION double defect(const std::vector<Matrix>& links) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t x = 0; x < links.size(); ++x) {
    const Matrix one = links[x] * adjoint(links[x]);
    sum += std::fabs(static_cast<double>(one.c[0][0].re) - 1) + std::fabs(static_cast<double>(one.c[0][2].im));
  }
  return sum / static_cast<double>(links.size());
}

struct Vector {
  Complex c[3];
};

using Vectors = std::vector<Vector>;

Vector add_product(Vector sum, const Matrix& m, const Vector& v, float sign) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const Complex p = m.c[i][k] * v.c[k];
      sum.c[i] = {sum.c[i].re + sign * p.re, sum.c[i].im + sign * p.im};
    }
  return sum;
}

/// Staggered fermions: differences along four directions, transported by the links.
CORPUS_REGION void hop(const Field& u, const Neighbours& n, const Vectors& in, Vectors& out) {
#pragma omp parallel for
  for (std::size_t x = 0; x < in.size(); ++x) {
    Vector sum = in[x];
    for (std::size_t mu = 0; mu < 4; ++mu) {
      sum = add_product(sum, u[x][mu], in[n[x][mu]], 0.5f);
      sum = add_product(sum, adjoint(u[n[x][mu + 4]][mu]), in[n[x][mu + 4]], -0.5f);
    }
    out[x] = sum;
  }
}

CORPUS_REGION double product(const Vectors& a, const Vectors& b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t x = 0; x < a.size(); ++x)
    for (int k = 0; k < 3; ++k) sum += static_cast<double>(a[x].c[k].re * b[x].c[k].re + a[x].c[k].im * b[x].c[k].im);
  return sum;
}

CORPUS_REGION void add(Vectors& a, float factor, const Vectors& b) {
#pragma omp parallel for
  for (std::size_t x = 0; x < a.size(); ++x)
    for (int k = 0; k < 3; ++k) a[x].c[k] = a[x].c[k] + Complex{factor * b[x].c[k].re, factor * b[x].c[k].im};
}

/// Steps of minimal residual for D x = b. Returns the residual's square over that of b.
double solve(const Field& u, const Neighbours& n, const Vectors& b, int steps) {
  Vectors x(b.size()), r(b), image(b.size());
  for (int step = 0; step < steps; ++step) {
    hop(u, n, r, image);
    const auto omega = static_cast<float>(product(image, r) / product(image, image));
    add(x, omega, r);
    add(r, -omega, image);
  }
  return product(r, r) / product(b, b);
}

corpus::Answer program(const corpus::Input& input) {
  const Lattice l{input.pick<std::array<std::size_t, 4>>({8, 8, 8, 14}, {10, 10, 10, 16})};
  const Neighbours n = find_neighbours(l);
  Field u(l.sites());
  start(u, input.seed);
  const double plane = plaquette(u, n, 0, 1), far = plaquette(u, n, 2, 3);
  std::vector<Matrix> links(l.sites());
  smear(u, n, 3, 0, links);
  Vectors b(l.sites());
  for (std::size_t x = 0; x < b.size(); ++x) b[x].c[x % 3] = {1, 0};
  const double rest = solve(u, n, b, 3);
  return {.checksum = plane + far + rest, .right = defect(links) < 1e-5 && rest < 1 && rest > 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
