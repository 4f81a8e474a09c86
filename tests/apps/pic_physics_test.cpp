// Does the code know what plasmas do? Frequencies, growth rates and trajectories from text books.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "apps/pic/box_step.h"
#include "apps/pic/conservation.h"
#include "apps/pic/step.h"
#include "tests/apps/pic_plasma.h"

namespace pic {
namespace {

constexpr double pi = std::numbers::pi;

/// Amplitude of exp(i k x) in Ex, for the longest wave that fits in.
std::complex<double> mode_of_ex(const Plasma& plasma) {
  std::complex<double> sum = 0;
  for (const Box& box : plasma.boxes) {
    for (int y = 0; y < box.extent.cells[1]; ++y) {
      for (int x = 0; x < box.extent.cells[0]; ++x) {
        const double phase = 2 * pi * (x + box.extent.begin[0] + 0.5) / plasma.grid.cells()[0];
        sum += box.fields[Ex][box.fields.index(x, y)] * std::polar(1.0, -phase);
      }
    }
  }
  return sum / (0.5 * plasma.grid.cells()[0] * plasma.grid.cells()[1]);
}

/// Evenly spaced in each cell, with density 1 in all; `velocity` says u_x for a place from 0 to 2 pi.
template <class Velocity>
std::vector<Particle> cold_plasma(std::array<int, 2> cells, int per_row, double h, Velocity velocity) {
  std::vector<Particle> particles;
  for (int i = 0; i < cells[0] * per_row; ++i) {
    for (int y = 0; y < cells[1]; ++y) {
      const double x = (i + 0.5) / per_row;
      particles.push_back({x, y + 0.5, velocity(2 * pi * x / cells[0], i), 0, 0, h * h / per_row});
    }
  }
  return particles;
}

// Birdsall and Langdon, section 5-2: a cold plasma oscillates at omega_p = 1 in our units, whatever the wavelength.
TEST(Physics, ColdPlasmaOscillatesAtThePlasmaFrequency) {
  constexpr double h = 0.1;
  const auto particles = cold_plasma({32, 8}, 4, h, [](double phase, int) { return 1e-3 * std::sin(phase); });
  Plasma plasma = plasma_of({32, 8}, {2, 2}, h, 0.9, particles);
  // E starts at zero as sin(t) does: it is zero again at pi, 2 pi, 3 pi.
  std::vector<double> zeros;
  double before = 0;
  for (int step = 1; zeros.size() < 3 && step < 1000; ++step) {
    advance(plasma, 2);
    const double now = mode_of_ex(plasma).imag();
    if (step > 1 && before * now < 0) zeros.push_back((step - now / (now - before)) * plasma.dt);
    before = now;
  }
  ASSERT_EQ(zeros.size(), 3U);
  EXPECT_NEAR(zeros[2] - zeros[0], 2 * pi, 0.01 * 2 * pi);
}

// Birdsall and Langdon, section 5-6: two equal cold streams of velocities v and -v are most unstable at
// k v = sqrt(3/8) omega_p, and grow at omega_p / (2 sqrt(2)), omega_p being that of both together.
TEST(Physics, TwoStreamInstabilityGrowsAtTheRateOfTheory) {
  constexpr double v = 0.05;
  constexpr int cells = 32;
  const double h = 2 * pi * v / std::sqrt(3.0 / 8.0) / cells;
  const auto particles = cold_plasma(
      {cells, 4}, 8, h, [&](double phase, int i) { return (i % 2 == 0 ? v : -v) + 1e-5 * std::sin(phase); });
  Plasma plasma = plasma_of({cells, 4}, {4, 1}, h, 0.95, particles);
  auto run_until = [&, time = 0.0](double end) mutable {
    for (; time < end; time += plasma.dt) advance(plasma, 1);
    return std::pair{time, std::log(std::abs(mode_of_ex(plasma)))};
  };
  const auto [first, small] = run_until(9);
  const auto [last, large] = run_until(15);
  EXPECT_NEAR((large - small) / (last - first), 1 / (2 * std::sqrt(2.0)), 0.02);
}

// Yee's dispersion relation along x: sin(w dt / 2) = c dt / h sin(k h / 2).
TEST(Physics, LightGoesAtTheSpeedOfTheGrid) {
  constexpr int cells = 40;
  Plasma plasma = plasma_of({cells, 8}, {4, 2}, 0.1, 0.9, {});
  const double k = 2 * pi / cells;
  const double phase_step = 2 * std::asin(plasma.courant() * std::sin(k / 2));
  for (Box& box : plasma.boxes) {
    for (int y = 0; y < box.extent.cells[1]; ++y) {
      for (int x = 0; x < box.extent.cells[0]; ++x) {
        const double place = x + box.extent.begin[0];
        box.fields[Ey][box.fields.index(x, y)] = std::sin(k * place);
        // B half way between its values at -dt/2 and dt/2, which are those of the running wave.
        box.fields[Bz][box.fields.index(x, y)] = std::cos(phase_step / 2) * std::sin(k * (place + 0.5));
      }
    }
  }
  for (std::size_t b = 0; b < plasma.boxes.size(); ++b) fill_guards(plasma, b, {Ex, Ey, Ez, Bx, By, Bz});
  constexpr int steps = 100;
  for (int step = 0; step < steps; ++step) advance(plasma, 2);
  for (const Box& box : plasma.boxes) {
    for (int x = 0; x < box.extent.cells[0]; ++x) {
      const double expected = std::sin(k * (x + box.extent.begin[0]) - steps * phase_step);
      EXPECT_NEAR(box.fields[Ey][box.fields.index(x, 3)], expected, 1e-10);
    }
  }
}

// Birdsall and Langdon, section 4-4: the rotation is exact in its radius, and in its angle to second order.
TEST(Physics, ElectronCirclesInAMagneticFieldAtItsCyclotronFrequency) {
  constexpr double field = 0.5;
  constexpr double u = 2;
  Plasma plasma = plasma_of({64, 64}, {1, 1}, 0.5, 0.1, {{32, 32, u, 0, 0, 1e-9}});
  std::ranges::fill(plasma.boxes[0].fields.arrays[Bz], field);
  const double turn = 2 * std::atan(field * plasma.dt / 2 / std::sqrt(1 + u * u));
  constexpr int steps = 50;
  for (int step = 0; step < steps; ++step) push(plasma.boxes[0], plasma.h, plasma.dt);
  const Particle p = plasma.boxes[0].particles.get(0);
  EXPECT_NEAR(p.ux, u * std::cos(steps * turn), 1e-12);
  EXPECT_NEAR(p.uy, u * std::sin(steps * turn), 1e-12) << "an electron turns counter-clockwise";
}

}  // namespace
}  // namespace pic
