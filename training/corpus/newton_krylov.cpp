// Implicit steps in a cube without a stored matrix: Newton's method with conjugate gradients for Bratu's equation
// -div grad u = lambda exp(u), then heat by Crank and Nicolson (conjugate gradients), by Douglas and Gunn's alternating
// directions and by the second backward difference formula with red and black sweeps.
// Source: Knoll and Keyes, J. Comput. Phys. 193, 2004; Douglas and Gunn, Numer. Math. 6, 1964; Hairer and Wanner,
// Solving Ordinary Differential Equations II, section V.1.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Field = std::vector<double>;

struct Cube {
  std::size_t side;  ///< with the two points of the boundary, where all fields are 0
  double h;
  std::size_t plane() const { return side * side; }
  std::size_t size() const { return side * side * side; }
};

/// Calls use(i) for all inner points, planes shared among the lanes.
template <class Use>
void inside(const Cube& cube, Use use) {
#pragma omp for
  for (std::size_t z = 1; z < cube.side - 1; ++z)
    for (std::size_t y = 1; y < cube.side - 1; ++y)
      for (std::size_t i = (z * cube.side + y) * cube.side + 1; i < (z * cube.side + y + 1) * cube.side - 1; ++i)
        use(i);
}

/// The negative Laplacian times h^2.
double seven_points(const Cube& cube, const Field& u, std::size_t i) {
  const std::size_t row = cube.side, plane = cube.plane();
  return 6 * u[i] - u[i - 1] - u[i + 1] - u[i - row] - u[i + row] - u[i - plane] - u[i + plane];
}

CORPUS_REGION void start(const Cube& cube, Field& u, std::uint64_t seed) {
#pragma omp parallel
  inside(cube, [&](std::size_t i) { u[i] = 0.2 * corpus::random_real(seed, i); });
}

/// r = lambda exp(u) - A u; the square of r.
CORPUS_REGION double bratu_residual(const Cube& cube, const Field& u, double lambda, Field& r) {
  double square = 0;
#pragma omp parallel reduction(+ : square)
  inside(cube, [&](std::size_t i) {
    r[i] = lambda * cube.h * cube.h * std::exp(u[i]) - seven_points(cube, u, i);
    square += r[i] * r[i];
  });
  return square;
}

/// What the exponential adds to the diagonal of the derivative.
CORPUS_REGION void linearise(const Cube& cube, const Field& u, double lambda, Field& shift) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) shift[i] = -lambda * cube.h * cube.h * std::exp(u[i]);
}

/// q = (A + shift) p; returns p . q.
CORPUS_REGION double apply_derivative(const Cube& cube, const Field& shift, const Field& p, Field& q) {
  double dot = 0;
#pragma omp parallel reduction(+ : dot)
  inside(cube, [&](std::size_t i) {
    q[i] = seven_points(cube, p, i) + shift[i] * p[i];
    dot += p[i] * q[i];
  });
  return dot;
}

/// z = r / diagonal; returns r . z.
CORPUS_REGION double precondition(const Field& shift, const Field& r, Field& z) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot)
  for (std::size_t i = 0; i < r.size(); ++i) {
    z[i] = r[i] / (6 + shift[i]);
    dot += r[i] * z[i];
  }
  return dot;
}

CORPUS_REGION void descend(double alpha, const Field& p, const Field& q, Field& x, Field& r) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
}

CORPUS_REGION void turn(double beta, const Field& z, Field& p) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + beta * p[i];
}

struct Work {
  Field r, z, p, q, x, shift;
  explicit Work(std::size_t n) : r(n), z(n), p(n), q(n), x(n), shift(n) {}
};

/// Solves (A + shift) x = r by `iterations` steps; r is the residual afterwards.
template <class Apply>
void conjugate_gradients(Work& w, int iterations, Apply apply) {
  std::fill(w.x.begin(), w.x.end(), 0.0);
  std::fill(w.p.begin(), w.p.end(), 0.0);
  for (double old = 1; iterations > 0; --iterations) {
    const double rho = precondition(w.shift, w.r, w.z);
    turn(rho / old, w.z, w.p);
    descend(rho / apply(w.p, w.q), w.p, w.q, w.x, w.r);
    old = rho;
  }
}

/// The trial point of the line search, and how far it is away.
CORPUS_REGION double try_step(const Field& u, const Field& x, double length, Field& trial) {
  double far = 0;
#pragma omp parallel for reduction(max : far)
  for (std::size_t i = 0; i < u.size(); ++i) {
    trial[i] = u[i] + length * x[i];
    far = std::max(far, std::fabs(length * x[i]));
  }
  return far;
}

/// Newton's method; the square of the last residual over the first one's.
double solve_bratu(const Cube& cube, Field& u, Field& trial, Work& w) {
  const double first = bratu_residual(cube, u, 1, w.r);
  double last = first;
  for (int newton = 0; newton < 2; ++newton) {
    linearise(cube, u, 1, w.shift);
    conjugate_gradients(w, 4, [&](const Field& p, Field& q) { return apply_derivative(cube, w.shift, p, q); });
    for (double length = 1; length > 0.1; length /= 2) {
      try_step(u, w.x, length, trial);
      const double square = bratu_residual(cube, trial, 1, w.r);
      if (square >= last) continue;
      last = square;
      u.swap(trial);
      break;
    }
  }
  return last / first;
}

/// out = u - c A u, the explicit half of a step.
CORPUS_REGION void half_explicit(const Cube& cube, const Field& u, double c, Field& out) {
#pragma omp parallel for collapse(2)
  for (std::size_t z = 1; z < cube.side - 1; ++z)
    for (std::size_t y = 1; y < cube.side - 1; ++y)
      for (std::size_t x = 1; x < cube.side - 1; ++x) {
        const std::size_t i = (z * cube.side + y) * cube.side + x;
        out[i] = u[i] - c * seven_points(cube, u, i);
      }
}

/// r = b - (u + c A u), with which Crank and Nicolson's system starts from u.
CORPUS_REGION double implicit_residual(const Cube& cube, const Field& u, const Field& b, double c, Field& r) {
  double square = 0;
#pragma omp parallel reduction(+ : square)
  inside(cube, [&](std::size_t i) {
    r[i] = b[i] - u[i] - c * seven_points(cube, u, i);
    square += r[i] * r[i];
  });
  return square;
}

CORPUS_REGION double apply_implicit(const Cube& cube, double c, const Field& p, Field& q) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot) schedule(static, 1)
  for (std::size_t z = 1; z < cube.side - 1; ++z)
    for (std::size_t y = 1; y < cube.side - 1; ++y)
      for (std::size_t i = (z * cube.side + y) * cube.side + 1; i < (z * cube.side + y + 1) * cube.side - 1; ++i) {
        q[i] = p[i] + c * seven_points(cube, p, i);
        dot += p[i] * q[i];
      }
  return dot;
}

/// Solves (1 + c A_d) along one line of inner points, `stride` apart; the factors fit into the first-level cache.
void solve_line(double* u, std::size_t stride, std::size_t count, double c, const double* factor) {
  for (std::size_t i = 1; i < count - 1; ++i) u[i * stride] = (u[i * stride] + c * u[(i - 1) * stride]) * factor[i];
  for (std::size_t i = count - 2; i > 0; --i) u[i * stride] += c * factor[i] * u[(i + 1) * stride];
}

Field line_factors(const Cube& cube, double c) {
  Field factor(cube.side);
  for (std::size_t i = 1; i < cube.side; ++i) factor[i] = 1 / (1 + 2 * c - c * c * factor[i - 1]);
  return factor;
}

CORPUS_REGION void lines_x(const Cube& cube, Field& u, double c, const Field& factor) {
#pragma omp parallel for
  for (std::size_t line = 0; line < cube.plane(); ++line)
    solve_line(&u[line * cube.side], 1, cube.side, c, factor.data());
}

CORPUS_REGION void lines_y(const Cube& cube, Field& u, double c, const Field& factor) {
#pragma omp parallel for
  for (std::size_t z = 0; z < cube.side; ++z)
    for (std::size_t x = 0; x < cube.side; ++x)
      solve_line(&u[z * cube.plane() + x], cube.side, cube.side, c, factor.data());
}

/// Along z with the loop over the lines inside: whole planes are added to each other.
CORPUS_REGION void lines_z(const Cube& cube, Field& u, double c, const Field& factor) {
  const std::size_t plane = cube.plane();
#pragma omp parallel for
  for (std::size_t y = 0; y < cube.side; ++y) {
    double* row = &u[y * cube.side];
    for (std::size_t z = 1; z < cube.side - 1; ++z)
      for (std::size_t i = z * plane; i < z * plane + cube.side; ++i)
        row[i] = (row[i] + c * row[i - plane]) * factor[z];
    for (std::size_t z = cube.side - 2; z > 0; --z)
      for (std::size_t i = z * plane; i < z * plane + cube.side; ++i) row[i] += c * factor[z] * row[i + plane];
  }
}

/// Douglas and Gunn's first right side: what changes in a step, -2 c A u.
CORPUS_REGION void increments(const Cube& cube, const Field& u, double c, Field& delta) {
#pragma omp parallel
  inside(cube, [&](std::size_t i) { delta[i] = -2 * c * seven_points(cube, u, i); });
}

CORPUS_REGION void backward_side(const Field& now, const Field& before, Field& b) {
#pragma omp parallel for
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = (4 * now[i] - before[i]) / 3;
}

CORPUS_REGION void sweep_colour(const Cube& cube, const Field& b, double c, Field& u, std::size_t colour) {
#pragma omp parallel for collapse(2)
  for (std::size_t z = 1; z < cube.side - 1; ++z)
    for (std::size_t y = 1; y < cube.side - 1; ++y)
      for (std::size_t x = 1 + (z + y + colour) % 2; x < cube.side - 1; x += 2) {
        const std::size_t i = (z * cube.side + y) * cube.side + x;
        u[i] += (b[i] - u[i] - c * seven_points(cube, u, i)) / (1 + 6 * c);
      }
}

CORPUS_REGION double difference(const Field& a, const Field& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t side = input.pick<std::size_t>(36, 44);
  const Cube cube{side, 1 / static_cast<double>(side - 1)};
  Field u(cube.size()), trial(u.size()), next(u.size()), b(u.size());
  Work w(u.size());
  start(cube, u, input.seed);
  const double newton = solve_bratu(cube, u, trial, w);

  const double c = 0.2;  // half a step over h^2
  half_explicit(cube, u, c, b);
  const double before = implicit_residual(cube, u, b, c, w.r);
  std::fill(w.shift.begin(), w.shift.end(), 0.0);
  conjugate_gradients(w, 4, [&](const Field& p, Field& q) { return apply_implicit(cube, c, p, q); });
  try_step(u, w.x, 1, trial);  // Crank and Nicolson's u after a step
  const double after = implicit_residual(cube, trial, b, c, w.r);

  const Field factor = line_factors(cube, c);
  increments(cube, u, c, w.x);
  lines_x(cube, w.x, c, factor);
  lines_y(cube, w.x, c, factor);
  lines_z(cube, w.x, c, factor);
  const double moved = try_step(u, w.x, 1, next);
  const double apart = difference(next, trial);  // two methods of second order: close to each other

  backward_side(trial, u, b);
  const double rough = implicit_residual(cube, next, b, 4 * c / 3, w.r);
  for (int sweep = 0; sweep < 4; ++sweep) sweep_colour(cube, b, 4 * c / 3, next, static_cast<std::size_t>(sweep % 2));
  const double left = implicit_residual(cube, next, b, 4 * c / 3, w.r);
  const bool right = newton < 0.1 && after < 1e-3 * before && apart < 0.2 * moved && left < 0.05 * rough;
  return {.checksum = moved + apart * 10 + next[next.size() / 2], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
