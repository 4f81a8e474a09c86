// A constant step that is larger than an element.
#include "bench/patterns/pattern_kernel.h"

namespace patterns {
namespace {

template <std::size_t Step, class T>
double every_of(const T* values, std::size_t n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < n; i += Step) sum += static_cast<double>(values[i]);
  return sum;
}

/// The sum of one element every `Bytes`.
template <std::size_t Bytes, class T>
Input every(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(T);
  const T* const values = input.add<T>("values", "strided", n, [](std::size_t i) { return static_cast<T>(i % 5); });
  input.run = [=] { return every_of<Bytes / sizeof(T)>(values, n); };
  return input;
}

struct Particle {
  double position[3], velocity[3], mass, charge, field[4];
};

void push_of(Particle* particles, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) particles[i].position[0] += 0.1 * particles[i].velocity[0];
}

/// An array of structures of 96 bytes, two members of which are used: 32 bytes from the beginning.
Input structures(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(Particle);
  auto* const particles = input.add<Particle>(
      "particles", "strided", n, [](std::size_t i) { return Particle{{static_cast<double>(i)}, {1}, 0, 0, {}}; });
  input.run = [=] { return push_of(particles, n), particles[n / 2].position[0]; };
  return input;
}

constexpr std::size_t columns = 512;

double column_of(const double* matrix, std::size_t rows) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t column = 0; column < columns; column += 16) {
    for (std::size_t row = 0; row < rows; ++row) sum += matrix[row * columns + column];
  }
  return sum;
}

/// Every 16th column of a matrix of 512, one after the other: steps of a page.
Input column(std::size_t bytes) {
  Input input;
  const std::size_t rows = bytes / sizeof(double) / columns;
  const double* const matrix =
      input.add<double>("matrix", "strided", rows * columns, [](std::size_t i) { return static_cast<double>(i % 3); });
  input.run = [=] { return column_of(matrix, rows); };
  return input;
}

constexpr Entry kernels[] = {{"stride-8", every<8, float>},
                             {"stride-16", every<16, double>},
                             {"stride-24", every<24, double>},
                             {"stride-64", every<64, double>},
                             {"stride-96", structures},
                             {"stride-256", every<256, float>},
                             {"column", column}};

}  // namespace

std::span<const Entry> strided_kernels() { return kernels; }

}  // namespace patterns
