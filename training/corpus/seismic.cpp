// Seismic waves in space: velocity and stress on a staggered grid (second and fourth order), an absorbing sponge and a
// free surface; sound in one field with an eighth-order stencil; images by correlation.
// Source: Virieux, Geophysics 51, 1986; Graves, Bull. Seism. Soc. Am. 86, 1996; Cerjan et al., Geophysics 50, 1985
// (sponge); Claerbout, Geophysics 36, 1971 (imaging).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Field = std::vector<float>;

constexpr std::size_t margin = 4;  ///< points at each end that stencils reach into

struct Grid {
  std::size_t side;
  std::size_t plane() const { return side * side; }
  std::size_t size() const { return side * side * side; }
  std::size_t at(std::size_t z, std::size_t y, std::size_t x) const { return (z * side + y) * side + x; }
};

/// Calls use(i) for the inner points.
template <class Use>
void inside(const Grid& g, Use use) {
#pragma omp parallel for
  for (std::size_t z = margin; z < g.side - margin; ++z)
    for (std::size_t y = margin; y < g.side - margin; ++y)
      for (std::size_t i = g.at(z, y, margin); i < g.at(z, y, g.side - margin); ++i) use(i);
}

struct Rock {
  Field lambda, mu, density;
};

struct Waves {
  std::array<Field, 3> v;  ///< velocities along x, y, z, half a step beside the middle of the cell
  std::array<Field, 3> s;  ///< normal stresses
  std::array<Field, 3> t;  ///< shear stresses yz, xz, xy
};

/// Layers with random knolls between them.
CORPUS_REGION void make_rock(const Grid& g, Rock& rock, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t z = 0; z < g.side; ++z)
    for (std::size_t k = 0; k < g.plane(); ++k) {
      const double depth = static_cast<double>(z) + 3 * corpus::random_real(seed, k / 16);
      const auto layer = static_cast<float>(static_cast<int>(depth / 12));
      const std::size_t i = z * g.plane() + k;
      rock.lambda[i] = 1 + 0.3f * layer, rock.mu[i] = 0.6f + 0.2f * layer, rock.density[i] = 1 + 0.1f * layer;
    }
}

/// Shear moduli are taken harmonically between four cells.
CORPUS_REGION void average_mu(const Grid& g, const Field& mu, Field& mean) {
  inside(g, [&](std::size_t i) {
    mean[i] = 4 / (1 / mu[i] + 1 / mu[i + 1] + 1 / mu[i + g.side] + 1 / mu[i + g.side + 1]);
  });
}

CORPUS_REGION double fastest(const Rock& rock) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < rock.mu.size(); ++i)
    most = std::max(most, (rock.lambda[i] + 2 * rock.mu[i]) / rock.density[i]);
  return std::sqrt(static_cast<double>(most));
}

void explode(const Grid& g, Waves& w, float strength) {
  const std::size_t middle = g.at(g.side / 2, g.side / 2, g.side / 2);
  for (Field& s : w.s) s[middle] += strength;
}

float fourth_order(const Field& f, std::size_t i, std::size_t stride) {
  return 1.125f * (f[i] - f[i - stride]) - (f[i + stride] - f[i - 2 * stride]) / 24;
}

/// All three velocities in one pass, from nine differences.
CORPUS_REGION void push_velocities(const Grid& g, const Rock& rock, float dt, Waves& w) {
  const std::size_t row = g.side, plane = g.plane();
  inside(g, [&](std::size_t i) {
    const float c = dt / rock.density[i];
    w.v[0][i] += c * (w.s[0][i + 1] - w.s[0][i] + w.t[2][i] - w.t[2][i - row] + w.t[1][i] - w.t[1][i - plane]);
    w.v[1][i] += c * (w.t[2][i] - w.t[2][i - 1] + w.s[1][i + row] - w.s[1][i] + w.t[0][i] - w.t[0][i - plane]);
    w.v[2][i] += c * (w.t[1][i] - w.t[1][i - 1] + w.t[0][i] - w.t[0][i - row] + w.s[2][i + plane] - w.s[2][i]);
  });
}

CORPUS_REGION void push_normal_stresses(const Grid& g, const Rock& rock, float dt, Waves& w) {
  const std::size_t row = g.side, plane = g.plane();
  inside(g, [&](std::size_t i) {
    const float xx = w.v[0][i] - w.v[0][i - 1], yy = w.v[1][i] - w.v[1][i - row], zz = w.v[2][i] - w.v[2][i - plane];
    const float all = rock.lambda[i] * (xx + yy + zz), twice = 2 * rock.mu[i];
    w.s[0][i] += dt * (all + twice * xx), w.s[1][i] += dt * (all + twice * yy), w.s[2][i] += dt * (all + twice * zz);
  });
}

CORPUS_REGION void push_shear_stresses(const Grid& g, const Field& mu, float dt, Waves& w) {
  const std::size_t row = g.side, plane = g.plane();
  inside(g, [&](std::size_t i) {
    const float c = dt * mu[i];
    w.t[0][i] += c * (w.v[2][i + row] - w.v[2][i] + w.v[1][i + plane] - w.v[1][i]);
    w.t[1][i] += c * (w.v[2][i + 1] - w.v[2][i] + w.v[0][i + plane] - w.v[0][i]);
    w.t[2][i] += c * (w.v[1][i + 1] - w.v[1][i] + w.v[0][i + row] - w.v[0][i]);
  });
}

/// One velocity in the fourth order: some codes have a loop for each of them.
CORPUS_REGION void push_one(const Grid& g, const Rock& rock, float dt, const Field& x, const Field& y, const Field& z,
                            Field& v) {
  const std::size_t row = g.side, plane = g.plane();
  inside(g, [&](std::size_t i) {
    v[i] += dt / rock.density[i] * (fourth_order(x, i, 1) + fourth_order(y, i, row) + fourth_order(z, i, plane));
  });
}

/// Fields fade near the bounds; most points are left as they are, so only six slabs are touched.
CORPUS_REGION void absorb(const Grid& g, Waves& w) {
  constexpr std::size_t thick = 8;
#pragma omp parallel for collapse(2)
  for (std::size_t f = 0; f < 3; ++f)
    for (std::size_t z = 0; z < g.side; ++z)
      for (std::size_t y = 0; y < g.side; ++y) {
        const std::size_t near = std::min({z, y, g.side - 1 - z, g.side - 1 - y});
        float* line = &w.v[f][g.at(z, y, 0)];
        const auto fade = [&](std::size_t x) {
          const auto depth = static_cast<float>(thick - std::min({near, x, g.side - 1 - x, thick}));
          line[x] *= std::exp(-0.0005f * depth * depth);
        };
        for (std::size_t x = 0; x < (near < thick ? g.side : thick); ++x) fade(x);
        for (std::size_t x = g.side - thick; near >= thick && x < g.side; ++x) fade(x);
      }
}

/// The stresses above the ground mirror those below with the other sign.
CORPUS_REGION void free_surface(const Grid& g, Waves& w) {
#pragma omp parallel for
  for (std::size_t k = 0; k < g.plane(); ++k) {
    const std::size_t top = margin * g.plane() + k;
    w.s[2][top] = 0;
    for (std::size_t d = 1; d <= 2; ++d) {
      w.s[2][top - d * g.plane()] = -w.s[2][top + d * g.plane()];
      w.t[0][top - d * g.plane()] = -w.t[0][top + (d - 1) * g.plane()];
      w.t[1][top - d * g.plane()] = -w.t[1][top + (d - 1) * g.plane()];
    }
  }
}

CORPUS_REGION double kinetic(const Rock& rock, const Waves& w) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < rock.density.size(); ++i)
    sum += static_cast<double>(rock.density[i]) *
           static_cast<double>(w.v[0][i] * w.v[0][i] + w.v[1][i] * w.v[1][i] + w.v[2][i] * w.v[2][i]);
  return sum;
}

/// How unlike itself mirrored along x a field is: rows are read from both ends.
CORPUS_REGION double asymmetry(const Grid& g, const Field& s) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t line = 0; line < g.plane(); ++line)
    for (std::size_t x = 1; x < g.side; ++x)
      most = std::max(most, static_cast<double>(std::fabs(s[line * g.side + x] - s[(line + 1) * g.side - x])));
  return most;
}

/// Sound: next = 2 now - next + c2 (25 points around), eighth order.
CORPUS_REGION void sound(const Grid& g, const Field& c2, const Field& now, Field& next) {
  constexpr std::array<float, 5> c = {-205.f / 72, 8.f / 5, -1.f / 5, 8.f / 315, -1.f / 560};
  inside(g, [&](std::size_t i) {
    float sum = 3 * c[0] * now[i];
    for (std::size_t k = 1; k <= 4; ++k)
      sum += c[k] * (now[i - k] + now[i + k] + now[i - k * g.side] + now[i + k * g.side] + now[i - k * g.plane()] +
                     now[i + k * g.plane()]);
    next[i] = 2 * now[i] - next[i] + c2[i] * sum;
  });
}

CORPUS_REGION void square_speed(const Rock& rock, float dt, Field& c2) {
#pragma omp parallel for
  for (std::size_t i = 0; i < c2.size(); ++i) c2[i] = dt * dt * rock.lambda[i] / rock.density[i];
}

/// A row of wells: receivers read a vertical plane, column by column.
CORPUS_REGION void record(const Grid& g, const Field& p, Field& trace) {
#pragma omp parallel for
  for (std::size_t x = 0; x < g.side; ++x)
    for (std::size_t z = 0; z < g.side; ++z) trace[x * g.side + z] = p[g.at(z, g.side / 2, x)];
}

/// The image is where the waves of both directions meet; the energy that illuminates divides it.
CORPUS_REGION void correlate(const Field& a, const Field& b, Field& image, Field& light) {
#pragma omp parallel for
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] += a[i] * b[i];
    light[i] += a[i] * a[i];
  }
}

CORPUS_REGION double illuminate(const Field& light, Field& image) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] /= light[i] + 1e-6f;
    sum += static_cast<double>(std::fabs(image[i]));
  }
  return sum;
}

/// Exploding in the middle of uniform rock: the stresses must stay symmetric.
double check_symmetry(const Grid& g, const Rock& rock, Waves& w) {
  explode(g, w, 1);
  push_velocities(g, rock, 0.1f, w);
  push_normal_stresses(g, rock, 0.1f, w);
  return asymmetry(g, w.s[0]);
}

corpus::Answer program(const corpus::Input& input) {
  const Grid g{input.pick<std::size_t>(42, 52)};
  const Field zero(g.size()), one(g.size(), 1.0f);
  Rock rock{one, one, one};
  Waves w{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
  Field mean = one;
  const double skew = check_symmetry(g, rock, w);
  make_rock(g, rock, input.seed);
  average_mu(g, rock.mu, mean);
  const auto dt = static_cast<float>(0.3 / fastest(rock));
  const double quiet = kinetic(rock, w);
  for (int step = 0; step < 2; ++step) {
    explode(g, w, 1);
    push_velocities(g, rock, dt, w);
    absorb(g, w);
    push_normal_stresses(g, rock, dt, w);
    push_shear_stresses(g, mean, dt, w);
    free_surface(g, w);
  }
  push_one(g, rock, dt, w.s[0], w.t[2], w.t[1], w.v[0]);
  const double loud = kinetic(rock, w);

  Field &c2 = mean, &now = w.s[0], &next = w.s[1], &image = w.t[0], &light = w.t[1];
  square_speed(rock, dt, c2);
  Field trace(g.plane());
  for (int step = 0; step < 2; ++step, now.swap(next)) {
    sound(g, c2, now, next);
    record(g, next, trace);
    correlate(now, next, image, light);
  }
  const double bright = illuminate(light, image);
  const bool right = skew < 1e-6 && loud > quiet && loud < 100 && bright > 0;
  return {.checksum = loud + bright / static_cast<double>(g.size()) + static_cast<double>(trace[g.plane() / 2]),
          .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
