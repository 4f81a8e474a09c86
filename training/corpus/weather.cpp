// Steps of an atmosphere: upwind and flux-limited advection of tracers, semi-Lagrangian steps with interpolation,
// implicit diffusion in columns, radiation down through layers, saturation with branches, a polar filter, a remap
// between levels. Source: Durran, Numerical Methods for Fluid Dynamics, 2nd edition, chapters 5 and 7; van Leer, J.
// Comp. Phys. 32, 1979; Bolton, Monthly Weather Review 108, 1980 (saturation).
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

struct Grid {
  std::size_t layers, rows, columns;
  std::size_t plane() const { return rows * columns; }
  std::size_t size() const { return layers * plane(); }
};

using Field = std::vector<float>;  ///< [layer][row][column]

CORPUS_REGION void start(const Grid& g, std::uint64_t seed, Field& tracer, Field& wind) {
#pragma omp parallel for
  for (std::size_t i = 0; i < g.size(); ++i) {
    tracer[i] = static_cast<float>(corpus::random_real(seed, i)) + 1;
    wind[i] = static_cast<float>(corpus::random_real(seed + 1, i)) - 0.5f;
  }
}

/// Along rows, from the side where the wind comes from; the ends are closed.
CORPUS_REGION void advect_upwind(const Grid& g, const Field& q, const Field& wind, Field& out) {
#pragma omp parallel for
  for (std::size_t line = 0; line < g.layers * g.rows; ++line) {
    const float *const from = q.data() + line * g.columns, *const u = wind.data() + line * g.columns;
    float* const to = out.data() + line * g.columns;
    float left = 0;
    for (std::size_t x = 0; x < g.columns; ++x) {
      const float right = x + 1 == g.columns ? 0 : u[x] * (u[x] > 0 ? from[x] : from[x + 1]);
      to[x] = from[x] - 0.5f * (right - left);
      left = right;
    }
  }
}

float limited(float a, float b) { return a * b > 0 ? 2 * a * b / (a + b) : 0; }

/// Across rows, second order where it is smooth: five rows are read for each that is written.
CORPUS_REGION void advect_limited(const Grid& g, const Field& q, const Field& wind, Field& out) {
#pragma omp parallel for collapse(2)
  for (std::size_t layer = 0; layer < g.layers; ++layer)
    for (std::size_t y = 2; y < g.rows - 2; ++y)
      for (std::size_t x = 0; x < g.columns; ++x) {
        const std::size_t at = (layer * g.rows + y) * g.columns + x, row = g.columns;
        const auto flux = [&](std::size_t i) {
          const float u = wind[i], slope = limited(q[i] - q[i - row], q[i + row] - q[i]);
          const float next = limited(q[i + row] - q[i], u > 0 ? q[i + row] - q[i] : q[i + row] - q[i - row]);
          return u > 0 ? u * (q[i] + 0.5f * (1 - u) * slope) : u * (q[i + row] - 0.5f * (1 + u) * next);
        };
        out[at] = q[at] - 0.25f * (flux(at) - flux(at - row));
      }
}

/// Where each point comes from, by the wind; four values around it.
CORPUS_REGION void advect_back(const Grid& g, const Field& q, const Field& wind, float dt, Field& out) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t line = 0; line < g.layers * g.rows; ++line)
    for (std::size_t x = 0; x < g.columns; ++x) {
      const std::size_t at = line * g.columns + x, layer = line / g.rows * g.plane();
      const float u = wind[at], v = wind[g.size() - 1 - at];
      const float px = std::clamp(static_cast<float>(x) - dt * u, 0.0f, static_cast<float>(g.columns) - 1.01f);
      const float py = std::clamp(static_cast<float>(line % g.rows) - dt * v, 0.0f, static_cast<float>(g.rows) - 1.01f);
      const auto ix = static_cast<std::size_t>(px), iy = static_cast<std::size_t>(py);
      const float fx = px - static_cast<float>(ix), fy = py - static_cast<float>(iy);
      const float* const c = q.data() + layer + iy * g.columns + ix;
      out[at] = (1 - fy) * ((1 - fx) * c[0] + fx * c[1]) + fy * ((1 - fx) * c[g.columns] + fx * c[g.columns + 1]);
    }
}

/// A tridiagonal system in each column of air; neighbouring columns side by side.
CORPUS_REGION void diffuse(const Grid& g, Field& q, Field& factor) {
#pragma omp parallel for
  for (std::size_t row = 0; row < g.rows; ++row) {
    const std::size_t start = row * g.columns, plane = g.plane();
    for (std::size_t x = start; x < start + g.columns; ++x) factor[x] = 0.4f / 1.4f, q[x] /= 1.4f;
    for (std::size_t layer = 1; layer < g.layers; ++layer)
      for (std::size_t i = layer * plane + start; i < layer * plane + start + g.columns; ++i) {
        const float pivot = (layer + 1 == g.layers ? 1.4f : 1.8f) - 0.4f * factor[i - plane];
        factor[i] = 0.4f / pivot;
        q[i] = (q[i] + 0.4f * q[i - plane]) / pivot;
      }
    for (std::size_t layer = g.layers - 1; layer-- > 0;)
      for (std::size_t i = layer * plane + start; i < layer * plane + start + g.columns; ++i)
        q[i] += factor[i] * q[i + plane];
  }
}

/// One column after the other, from the top down: strides of a plane.
CORPUS_REGION double radiate(const Grid& g, const Field& absorber, Field& heating) {
  double ground = 0;
#pragma omp parallel for reduction(+ : ground) schedule(static, 64)
  for (std::size_t column = 0; column < g.plane(); column += 3) {
    float beam = 1;
    for (std::size_t layer = g.layers; layer-- > 0;) {
      const std::size_t i = layer * g.plane() + column;
      const float kept = std::exp(-0.1f * absorber[i]);
      heating[i] += beam * (1 - kept);
      beam *= kept;
    }
    ground += static_cast<double>(beam);
  }
  return ground;
}

/// What is more than saturation falls out as rain; most points do nothing.
CORPUS_REGION void condense(const Grid& g, Field& vapour, Field& heat, Field& rain) {
#pragma omp parallel for
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (vapour[i] < 1.7f) continue;
    const float celsius = 20 * heat[i];
    const float saturation = 1.2f + 0.06112f * std::exp(17.67f * celsius / (celsius + 243.5f));
    const float excess = std::max(vapour[i] - saturation, 0.0f);
    vapour[i] -= excess;
    heat[i] += 0.2f * excess;
#pragma omp atomic
    rain[i % g.plane()] += excess;
  }
}

/// Running means along the rows near both poles.
CORPUS_REGION void filter(const Grid& g, const Field& q, Field& out, std::size_t width) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t line = 0; line < g.layers * g.rows; ++line) {
    const std::size_t row = line % g.rows, start = line * g.columns;
    if (row > g.rows / 4 && row < 3 * g.rows / 4) continue;
    float sum = 0;
    for (std::size_t x = 0; x < g.columns + width; ++x) {
      if (x < g.columns) sum += q[start + x];
      if (x >= 2 * width) sum -= q[start + x - 2 * width];
      if (x >= width) out[start + x - width] = sum / static_cast<float>(2 * width);
    }
  }
}

/// Each column to levels of its own: an index that advances by the data, by one lane.
CORPUS_REGION void remap(const Grid& g, const Field& q, const Field& thickness, Field& out) {
  for (std::size_t column = 0; column < g.plane(); column += 5) {
    std::size_t from = 0;
    float bottom = 0, top = thickness[column];
    for (std::size_t layer = 0; layer < g.layers; ++layer) {
      const float height = 0.4f * static_cast<float>(layer);
      for (; top < height && from + 1 < g.layers; ++from)
        bottom = top, top += thickness[(from + 1) * g.plane() + column];
      const float next = q[std::min(from + 1, g.layers - 1) * g.plane() + column], here = q[from * g.plane() + column];
      const float share = std::clamp((height - bottom) / (top - bottom + 1e-6f), 0.0f, 1.0f);
      out[layer * g.plane() + column] = here + share * (next - here);
    }
  }
}

CORPUS_REGION double total(const Field& q) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < q.size(); ++i) sum += static_cast<double>(q[i]);
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  const Grid g = input.pick<Grid>({14, 70, 250}, {20, 90, 280});
  Field q(g.size()), wind(g.size()), next(g.size()), other(g.size()), rain(g.plane());
  start(g, input.seed, q, wind);
  const double before = total(q);
  advect_upwind(g, q, wind, next);
  bool right = std::fabs(total(next) - before) < 1e-4 * before;
  diffuse(g, next, other);
  right = right && std::fabs(total(next) - before) < 1e-3 * before;
  advect_limited(g, next, wind, q);
  advect_back(g, q, wind, 3, other);
  filter(g, other, next, 8);
  const double ground = radiate(g, q, other);
  remap(g, next, q, other);
  condense(g, q, other, rain);
  return {.checksum = ground + total(rain) + static_cast<double>(next[77]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
