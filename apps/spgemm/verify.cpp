#include "apps/spgemm/verify.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "apps/common/checksum.h"
#include "apps/common/random.h"

namespace spgemm {
namespace {

using Vector = std::vector<double>;

struct Identity {
  double operator()(double x) const { return x; }
};
struct Absolute {
  double operator()(double x) const { return std::fabs(x); }
};

Vector random_vector(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector x(size);
  for (double& element : x) element = 2 * apps::draw_unit(random) - 1;
  return x;
}

/// A * (A^T * x), with `part` applied to every entry of A and x.
template <class Part>
Vector twice_applied(const Triples& a, const Vector& x, Part part) {
  Vector middle(a.columns, 0.0);
  for (const Triple& entry : a.entries) middle[entry.column] += part(entry.value) * part(x[entry.row]);
  Vector y(a.rows, 0.0);
  for (const Triple& entry : a.entries) y[entry.row] += part(entry.value) * middle[entry.column];
  return y;
}

/// C * x.
Vector applied(std::span<const Task> tasks, const Vector& x) {
  Vector y;
  y.reserve(x.size());
  for (const Task& task : tasks) {
    const CsrView c = task.c.view();
    for (Index row = 0; row < c.rows; ++row) {
      double sum = 0;
      for (std::size_t i = c.begin(row); i < c.end(row); ++i) sum += c.values[i] * x[c.column_indices[i]];
      y.push_back(sum);
    }
  }
  return y;
}

}  // namespace

double largest_difference(const Triples& a, std::span<const Task> tasks, std::uint64_t seed) {
  const Vector x = random_vector(a.rows, seed);
  const Vector expected = twice_applied(a, x, Identity{});
  const Vector scale = twice_applied(a, x, Absolute{});
  const Vector found = applied(tasks, x);
  if (found.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t row = 0; row < expected.size(); ++row) {
    const double difference = std::fabs(found[row] - expected[row]);
    if (difference == 0) continue;
    const double relative = difference / scale[row];
    // NaN counts as wrong.
    if (!(relative <= largest)) largest = std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
  }
  return largest;
}

std::uint64_t checksum(std::span<const Task> tasks) {
  std::uint64_t sum = 0;
  for (const Task& task : tasks) {
    const CsrView c = task.c.view();
    for (Index row = 0; row < c.rows; ++row) {
      const std::uint64_t row_bits = std::uint64_t{task.first_row + row} << 32;
      for (std::size_t i = c.begin(row); i < c.end(row); ++i) {
        sum += apps::mix(apps::mix(row_bits | c.column_indices[i]) ^ std::bit_cast<std::uint64_t>(c.values[i]));
      }
    }
  }
  return sum;
}

}  // namespace spgemm
