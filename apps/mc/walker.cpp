#include "apps/mc/walker.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mc {
namespace {

using Vector = double[3];

double product(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += a[k] * b[k];
  return sum;
}

void take(const OrbitalValues& from, Determinant& spin, std::size_t electron) {
  const auto at = static_cast<std::ptrdiff_t>(electron * spin.electrons);
  std::ranges::copy(from.value, spin.value.begin() + at);
  for (int d = 0; d < 3; ++d) std::ranges::copy(from.gradient[d], spin.gradient[d].begin() + at);
  std::ranges::copy(from.laplacian, spin.laplacian.begin() + at);
}

/// Gauss and Jordan, with the largest pivot of a column; the inverse is transposed.
void invert(Determinant& spin) {
  const std::size_t n = spin.electrons;
  Matrix left = spin.value, right(n * n);
  for (std::size_t i = 0; i < n; ++i) right[i * n + i] = 1;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t i = column; i < n; ++i)
      if (std::abs(left[i * n + column]) > std::abs(left[pivot * n + column])) pivot = i;
    for (Matrix* matrix : {&left, &right}) {
      double* row = &(*matrix)[column * n];
      if (pivot != column) std::swap_ranges(row, row + n, &(*matrix)[pivot * n]);
    }
    const double scale = left[column * n + column];
    for (Matrix* matrix : {&left, &right})
      for (std::size_t k = 0; k < n; ++k) (*matrix)[column * n + k] /= scale;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i == column ? 0 : left[i * n + column];
      for (Matrix* matrix : {&left, &right})
        for (std::size_t k = 0; k < n; ++k) (*matrix)[i * n + k] -= factor * (*matrix)[column * n + k];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) spin.inverse[k * n + i] = right[i * n + k];
}

/// C. J. Umrigar, M. P. Nightingale, K. J. Runge, J. Chem. Phys. 99, 1993: a drift that stays finite at the nodes.
void drift_of(const Vector& gradient, double time, Vector& drift) {
  const double square = product(gradient, gradient, 3);
  const double scale = square * time < 1e-8 ? time : (std::sqrt(1 + 2 * square * time) - 1) / square;
  for (int d = 0; d < 3; ++d) drift[d] = scale * gradient[d];
}

/// Of the logarithm of the wave function, by the place of this electron.
void gradient_of(const Determinant& spin, std::size_t electron, const double* const (&gradient)[3], double ratio,
                 Vector& found) {
  const double* inverse = &spin.inverse[electron * spin.electrons];
  for (int d = 0; d < 3; ++d) found[d] = product(gradient[d], inverse, spin.electrons) / ratio;
}

/// The rank-one update of the inverse for a new row of the matrix (J. Sherman, W. J. Morrison, 1950).
void update_inverse(Determinant& spin, std::size_t electron, const std::vector<double>& row, double ratio) {
  const std::size_t n = spin.electrons;
  double* own = &spin.inverse[electron * n];
  for (std::size_t i = 0; i < n; ++i) {
    if (i == electron) continue;
    double* other = &spin.inverse[i * n];
    const double factor = product(row.data(), other, n) / ratio;
    for (std::size_t k = 0; k < n; ++k) other[k] -= factor * own[k];
  }
  for (std::size_t k = 0; k < n; ++k) own[k] /= ratio;
}

}  // namespace

Determinant::Determinant(std::size_t size)
    : electrons(size),
      place(3 * size),
      value(size * size),
      gradient{value, value, value},
      laplacian(size * size),
      inverse(size * size) {}

Walker::Walker(const SplineTable& table, const std::vector<Quanta>& orbitals, std::uint64_t seed) : random_(seed) {
  OrbitalValues values(table.orbitals());
  for (std::unique_ptr<Determinant>& spin : spin_) {
    spin = std::make_unique<Determinant>(orbitals.size());
    for (std::size_t i = 0; i < orbitals.size(); ++i) {
      Vector at;
      do {
        for (int d = 0; d < 3; ++d) at[d] = draw_from(orbitals[i].along[d], random_);
      } while (!table.contains(at));
      std::copy_n(at, 3, &spin->place[3 * i]);
      table.evaluate(at, values);
      take(values, *spin, i);
    }
    invert(*spin);
  }
}

bool Walker::move(const SplineTable& table, Determinant& spin, std::size_t electron, double time, OrbitalValues& work) {
  const std::size_t n = spin.electrons, at = electron * n;
  double* place = &spin.place[3 * electron];
  Vector gradient, drift, there, back;
  gradient_of(spin, electron, {&spin.gradient[0][at], &spin.gradient[1][at], &spin.gradient[2][at]}, 1, gradient);
  drift_of(gradient, time, drift);
  double forward = 0, backward = 0;  // squares of what is left to diffusion
  for (int d = 0; d < 3; ++d) {
    const double diffusion = std::sqrt(time) * random_.normal();
    there[d] = place[d] + drift[d] + diffusion;
    forward += diffusion * diffusion;
  }
  const double chance = random_.uniform();
  if (!table.contains(there)) return false;
  table.evaluate(there, work);
  const double ratio = product(work.value.data(), &spin.inverse[at], n);
  gradient_of(spin, electron, {work.gradient[0].data(), work.gradient[1].data(), work.gradient[2].data()}, ratio,
              gradient);
  drift_of(gradient, time, back);
  for (int d = 0; d < 3; ++d) backward += std::pow(place[d] - there[d] - back[d], 2);
  if (!(chance < ratio * ratio * std::exp((forward - backward) / (2 * time)))) return false;
  update_inverse(spin, electron, work.value, ratio);
  take(work, spin, electron);
  std::copy_n(there, 3, place);
  return true;
}

int Walker::step(const SplineTable& table, double time, OrbitalValues& work) {
  int moved = 0;
  for (const std::unique_ptr<Determinant>& spin : spin_)
    for (std::size_t i = 0; i < spin->electrons; ++i) moved += move(table, *spin, i, time, work);
  return moved;
}

Sample Walker::sample() const {
  Sample sample;
  for (const std::unique_ptr<Determinant>& spin : spin_) {
    sample.energy -= product(spin->laplacian.data(), spin->inverse.data(), spin->inverse.size()) / 2;
    sample.spread += product(spin->place.data(), spin->place.data(), spin->place.size());
  }
  sample.energy += sample.spread / 2;
  return sample;
}

double Walker::error_of_inverse() const {
  double largest = 0;
  for (const std::unique_ptr<Determinant>& spin : spin_) {
    const std::size_t n = spin->electrons;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        const double found = product(&spin->value[i * n], &spin->inverse[k * n], n);
        largest = std::max(largest, std::abs(found - (i == k)));
      }
  }
  return largest;
}

std::uint64_t Walker::bits() const {
  std::uint64_t sum = 1;
  for (const std::unique_ptr<Determinant>& spin : spin_) {
    for (const double number : spin->place) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      sum = (sum ^ bits) * 0x9e3779b97f4a7c15U;
      sum ^= sum >> 32;
    }
  }
  return sum;
}

}  // namespace mc
