// Alternating directions, rate style: every lane has sheets of its own. Peaceman and Rachford's steps with tridiagonal
// systems along rows and columns (SIAM J. 3(1), 1955), by Thomas's algorithm, by cyclic reduction and many columns at
// once; Crank and Nicolson's step of option prices (Wilmott: The Mathematics of Financial Derivatives, 1995, chapter
// 8).
#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
constexpr double ratio = 0.4;

CORPUS_REGION void randomise(std::uint64_t seed, Reals& u) {
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = corpus::random_real(seed, i);
}

/// to = (1 + ratio / 2 D) from along the columns: the explicit half.
CORPUS_REGION void explicit_columns(std::size_t n, const Reals& from, Reals& to) {
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n; p < (j + 1) * n; ++p)
      to[p] = from[p] + 0.5 * ratio * (from[p - n] - 2 * from[p] + from[p + n]);
  }
}

CORPUS_REGION void explicit_rows(std::size_t n, const Reals& from, Reals& to) {
  for (std::size_t j = 0; j < n; ++j) {
    to[j * n] = from[j * n];
    for (std::size_t p = j * n + 1; p < (j + 1) * n - 1; ++p) {
      to[p] = from[p] + 0.5 * ratio * (from[p - 1] - 2 * from[p] + from[p + 1]);
    }
    to[(j + 1) * n - 1] = from[(j + 1) * n - 1];
  }
}

/// Row after row: a recurrence within a row, whose values lie side by side.
CORPUS_REGION void implicit_rows(std::size_t n, Reals& u, Reals& upper) {
  for (std::size_t j = 0; j < n; ++j) {
    double* row = &u[j * n];
    upper[0] = 0;
    for (std::size_t i = 1; i < n - 1; ++i) {
      const double inverse = 1 / (1 + ratio + 0.5 * ratio * upper[i - 1]);
      upper[i] = -0.5 * ratio * inverse;
      row[i] = (row[i] + 0.5 * ratio * row[i - 1]) * inverse;
    }
    for (std::size_t i = n - 1; i-- > 1;) row[i] -= upper[i] * row[i + 1];
  }
}

/// Column after column: every step is in another row.
CORPUS_REGION void implicit_columns(std::size_t n, Reals& u, Reals& upper) {
  for (std::size_t i = 0; i < n; ++i) {
    upper[0] = 0;
    for (std::size_t j = 1; j < n - 1; ++j) {
      const double inverse = 1 / (1 + ratio + 0.5 * ratio * upper[j - 1]);
      upper[j] = -0.5 * ratio * inverse;
      u[j * n + i] = (u[j * n + i] + 0.5 * ratio * u[(j - 1) * n + i]) * inverse;
    }
    for (std::size_t j = n - 1; j-- > 1;) u[j * n + i] -= upper[j] * u[(j + 1) * n + i];
  }
}

/// All columns at once: rows are passed over forwards, then backwards.
CORPUS_REGION void implicit_together(std::size_t n, Reals& u, Reals& upper) {
  for (std::size_t j = 1; j < n - 1; ++j) {
    const double inverse = 1 / (1 + ratio + 0.5 * ratio * (j > 1 ? upper[j - 1] : 0));
    upper[j] = -0.5 * ratio * inverse;
    for (std::size_t p = j * n; p < (j + 1) * n; ++p) u[p] = (u[p] + 0.5 * ratio * u[p - n]) * inverse;
  }
  for (std::size_t j = n - 1; j-- > 1;) {
    for (std::size_t p = j * n; p < (j + 1) * n; ++p) u[p] -= upper[j] * u[p + n];
  }
}

/// Hockney's cyclic reduction of one long system, diagonals in arrays: strides of 1, 2, 4, ... and back.
CORPUS_REGION void reduce(Reals& lower, Reals& middle, Reals& upper, Reals& right) {
  const std::size_t n = right.size();
  for (std::size_t step = 1; step < 64; step *= 2) {
    for (std::size_t i = 2 * step - 1; i < n; i += 2 * step) {
      const double a = lower[i] / middle[i - step];
      middle[i] -= a * upper[i - step];
      right[i] -= a * right[i - step];
      lower[i] = -a * lower[i - step];
      if (i + step >= n) continue;
      const double c = upper[i] / middle[i + step];
      middle[i] -= c * lower[i + step];
      right[i] -= c * right[i + step];
      upper[i] = -c * upper[i + step];
    }
  }
}

/// Prices of American options: projected relaxation, with a branch for early exercise.
CORPUS_REGION void exercise(std::size_t n, Reals& price) {
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n + 1; p < (j + 1) * n - 1; ++p) {
      const double hold = 0.49 * (price[p - n - 1] + price[p - n + 1]),
                   now = 1 - static_cast<double>(p % n) / static_cast<double>(n);
      price[p] = hold > now ? hold : now;
    }
  }
}

CORPUS_REGION double roughness(std::size_t n, const Reals& u) {
  double sum = 0;
  for (std::size_t p = n; p < u.size() - n; ++p) {
    sum += (u[p + 1] - u[p - 1]) * (u[p + 1] - u[p - 1]) + (u[p + n] - u[p - n]) * (u[p + n] - u[p - n]);
  }
  return sum;
}

CORPUS_REGION void fill_system(std::uint64_t seed, Reals& lower, Reals& middle, Reals& upper, Reals& right) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i] = corpus::random_real(seed, i);
    lower[i] = upper[i] = -ratio;
    middle[i] = 1 + 2 * ratio + 0.1 * right[i];
  }
}

struct Sheet {
  double checksum;
  bool smoother;
};

/// What a lane works on, made before the lanes begin.
struct Room {
  explicit Room(std::size_t side)
      : n(side), u(n * n), v(n * n), upper(n), lower(n * n / 4), middle(lower), above(lower), right(lower) {}
  std::size_t n;
  Reals u, v, upper, lower, middle, above, right;
};

Sheet sheet(Room& room, std::uint64_t seed) {
  auto& [n, u, v, upper, lower, middle, above, right] = room;
  randomise(seed, u);
  const double before = roughness(n, u);
  explicit_columns(n, u, v);
  implicit_rows(n, v, upper);
  explicit_rows(n, v, u);
  implicit_columns(n, u, upper);
  explicit_rows(n, u, v);
  implicit_together(n, v, upper);
  const double after = roughness(n, v);
  exercise(n, u);
  fill_system(seed, lower, middle, above, right);
  reduce(lower, middle, above, right);
  return {after + u[n * n / 2 + n / 3] + right[right.size() - 1], after < before};
}

corpus::Answer adi(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(150, 200);
  double sum = 0;
  int rough = 0;
  std::vector<Room> rooms;
  rooms.reserve(12);
  for (std::size_t lane = 0; lane < 12; ++lane) rooms.emplace_back(n - lane);
#pragma omp parallel for schedule(static) reduction(+ : sum, rough)
  for (std::size_t lane = 0; lane < 12; ++lane) {
    const Sheet done = sheet(rooms[lane], corpus::random_bits(input.seed, lane));
    sum += done.checksum;
    rough += done.smoother ? 0 : 1;
  }
  return {sum, rough == 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, adi); }
