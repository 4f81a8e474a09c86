#include "apps/nbody/cluster.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <utility>

namespace nbody {
namespace {

constexpr double reach = 10;        // radii of the model beyond which there are no bodies
constexpr double fast_share = 0.2;  // of the bodies: those with the largest accelerations

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Random numbers of one body.
struct Draws {
  std::uint64_t state;
  double next() { return static_cast<double>(mix(state += 0x9e3779b97f4a7c15U) >> 11) * 0x1p-53; }
};

Vector of_length(double length, Draws& draws) {
  const double z = 2 * draws.next() - 1, around = 2 * std::numbers::pi * draws.next();
  const double across = std::sqrt(1 - z * z);
  return length * Vector{across * std::cos(around), across * std::sin(around), z};
}

/// Speeds are parts q of the escape velocity with the density q^2 (1 - q^2)^(7/2).
Body* new_body(double mass, std::uint64_t seed) {
  Draws draws{mix(seed)};
  double radius = 0;
  do { radius = 1 / std::sqrt(std::pow(draws.next(), -2.0 / 3) - 1); } while (!(radius < reach));
  double part = 0;
  do { part = draws.next(); } while (0.1 * draws.next() > part * part * std::pow(1 - part * part, 3.5));
  const double speed = part * std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
  const Vector place = of_length(radius, draws);
  return new Body{{mass, place}, of_length(speed, draws), {}, 0, nullptr, false};
}

std::uint64_t bits_of(const Record& record) {
  std::uint64_t bits[2];
  std::memcpy(bits, record.place, sizeof bits);  // with the time
  return mix(mix(bits[0]) + bits[1]);
}

}  // namespace

Cluster::Cluster(int bodies, std::uint64_t seed) : bodies_(bodies), made_(bodies) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < bodies; ++i) bodies_[i] = new_body(1.0 / bodies, mix(seed) + i);
  drift(0);
  attract(true);
}

Cluster::~Cluster() {
  const int size = static_cast<int>(bodies_.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) {
    for (Record* record = bodies_[i]->orbit; record != nullptr;) delete std::exchange(record, record->before);
    delete bodies_[i];
  }
}

void Cluster::choose_slow() {
  std::vector<double> squares(bodies_.size());
  std::ranges::transform(bodies_, squares.begin(), [](const Body* body) { return square(body->acceleration); });
  std::vector<double> sorted = squares;
  const auto bound = sorted.begin() + static_cast<std::ptrdiff_t>((1 - fast_share) * static_cast<double>(size()));
  std::ranges::nth_element(sorted, bound);
  for (std::size_t i = 0; i < size(); ++i) bodies_[i]->slow = squares[i] < *bound;
}

/// The tree lives as long as the forces need it.
void Cluster::attract(bool slow) {
  const Octree tree(bodies_);
  made_ += tree.cells();
  lost_ = lost_ || std::abs(tree.mass() - 1) > 1e-9;
  const int size = static_cast<int>(bodies_.size());
  long terms = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : terms)
  for (int i = 0; i < size; ++i)
    if (slow || !bodies_[i]->slow) terms += tree.attract(*bodies_[i]);
  terms_ += static_cast<double>(terms);
}

void Cluster::kick(double fast, double slow) {
  const int size = static_cast<int>(bodies_.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) {
    Body& body = *bodies_[i];
    const double length = body.slow ? slow : fast;
    if (length > 0) body.velocity += length * body.acceleration;
  }
}

/// And a record of where each body has come to.
void Cluster::drift(double length) {
  time_ += length;
  const int size = static_cast<int>(bodies_.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) {
    Body& body = *bodies_[i];
    body.centre += length * body.velocity;
    body.orbit = new Record{
        body.orbit,
        {static_cast<float>(body.centre.x), static_cast<float>(body.centre.y), static_cast<float>(body.centre.z)},
        static_cast<float>(time_)};
  }
  made_ += bodies_.size();
}

// Leapfrog in two time steps (T. Quinn, N. Katz, J. Stadel, G. Lake, Time Stepping N-Body Simulations, 1997).
void Cluster::step(double length) {
  const double shorter = length / substeps;
  choose_slow();
  kick(shorter / 2, length / 2);
  for (int i = 1; i <= substeps; ++i) {
    drift(shorter);
    attract(i == substeps);
    kick(i == substeps ? shorter / 2 : shorter, i == substeps ? length / 2 : 0);
  }
}

double Cluster::energy() const {
  double sum = 0;
  for (const Body* body : bodies_) sum += body->mass / 2 * (square(body->velocity) + body->potential);
  return sum;
}

double Cluster::error_of_forces(int stride) const {
  const int samples = static_cast<int>(size()) / stride;
  std::vector<double> errors(samples), squares(samples);
#pragma omp parallel for schedule(static)
  for (int s = 0; s < samples; ++s) {
    const Body* of = bodies_[static_cast<std::size_t>(s) * stride];
    Vector sum;
    for (const Body* other : bodies_) {
      const Vector towards = other->centre - of->centre;
      const double inverse = 1 / std::sqrt(square(towards) + softening * softening);
      sum += other->mass * inverse * inverse * inverse * towards;
    }
    errors[s] = square(sum - of->acceleration);
    squares[s] = square(sum);
  }
  return std::sqrt(std::accumulate(errors.begin(), errors.end(), 0.0) /
                   std::accumulate(squares.begin(), squares.end(), 0.0));
}

std::uint64_t Cluster::checksum() const {
  std::uint64_t sum = 0;
  const int size = static_cast<int>(bodies_.size());
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < size; ++i) {
    for (const Record* record = bodies_[i]->orbit; record != nullptr; record = record->before)
      sum += mix(bits_of(*record) + i);
  }
  return sum;
}

bool Cluster::all_orbits_have(std::size_t records) const {
  return std::ranges::all_of(bodies_, [records](const Body* body) {
    std::size_t found = 0;
    for (const Record* record = body->orbit; record != nullptr; record = record->before) ++found;
    return found == records;
  });
}

}  // namespace nbody
