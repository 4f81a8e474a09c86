// Poisson's equation by implicit finite elements: assembly and conjugate gradients, on a mesh and on one that is twice
// as fine. An ordinary OpenMP program.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

#include "apps/common/number_options.h"
#include "apps/fe/poisson.h"

namespace {

using namespace fe;

constexpr int good = 0;
constexpr int wrong = 1;
constexpr double enough = 1e-6;  // residual of the solver, as a part of the right-hand side

struct Options {
  int size = 44;
  int iterations = 1000;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(argc, argv, "fe", "Poisson's equation by finite elements and conjugate gradients",
                            {{"--size", options.size, 8, 600, "elements along each side of the cube (44)"},
                             {"--iterations", options.iterations, 1, 1'000'000, "of the solver, at most (1000)"}});
}

std::uint64_t checksum_of(const std::vector<double>& solution) {
  std::uint64_t sum = 1;
  for (const double number : solution) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 32;
  }
  return sum;
}

struct Result {
  double error;
  bool verified;
  std::uint64_t checksum;
};

Result solve_on(int size, int iterations) {
  const HexMesh mesh{size};
  const LinearSystem system = assemble(mesh);
  const double asymmetry = asymmetry_of(system, 97);
  const Solved solved = solve(system, enough, iterations);
  const double error = error_of(mesh, solved.solution);
  const bool verified = asymmetry < 1e-12 && solved.residual < 2 * enough;
  std::printf("%6d %10d %12" PRId64 " %10d %12.3e %12.4e %9s\n", size, system.rows(), system.first.back(),
              solved.iterations, solved.residual, error, verified ? "yes" : "NO");
  if (solved.residual >= 2 * enough) std::fputs("fe: the solver has not converged. Allow more --iterations.\n", stderr);
  return {error, verified, checksum_of(solved.solution)};
}

int run(const Options& options) {
  const int coarse = options.size / 2;
  std::printf("Finite elements: hexahedra on the bent unit cube\n");
  std::printf("%6s %10s %12s %10s %12s %12s %9s\n", "size", "rows", "non-zeros", "iterations", "residual", "error",
              "verified");
  const Result first = solve_on(coarse, options.iterations);
  const Result second = solve_on(options.size, options.iterations);
  // Trilinear elements: the error falls with the square of the elements' size.
  const double order = std::log(first.error / second.error) / std::log(static_cast<double>(options.size) / coarse);
  const bool verified = first.verified && second.verified && std::abs(order - 2) < 0.03;
  std::printf("order of convergence: %.3f\nverified: %s\nchecksum: 0x%016" PRIx64 "\n", order, verified ? "yes" : "NO",
              first.checksum + second.checksum);
  return verified ? good : wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("fe: not enough memory. Use a smaller --size.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "fe: %s\n", error.what()); }
  return wrong;
}
