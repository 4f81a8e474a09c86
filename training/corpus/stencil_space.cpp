// Stencils in three dimensions: 7, 27 and 25 points (eighth order, as in seismic imaging), an anisotropic operator, a
// sweep in tiles, and the energy of a wave (Micikevicius: 3D finite difference computation on GPUs, GPGPU 2009; Datta
// et al.: Stencil computation optimization, SC 2008).
#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
using Floats = std::vector<float>;

struct Box {
  std::size_t n, plane, size;
  explicit Box(std::size_t side) : n(side), plane(side * side), size(side * side * side) {}
  std::size_t row(std::size_t k, std::size_t j) const { return k * plane + j * n; }
};

CORPUS_REGION void randomise(Reals& u, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = corpus::random_real(seed, i);
}

CORPUS_REGION void seven(const Box& b, const Reals& u, Reals& next) {
#pragma omp parallel for
  for (std::size_t k = 1; k < b.n - 1; ++k) {
    for (std::size_t j = 1; j < b.n - 1; ++j) {
      for (std::size_t p = b.row(k, j) + 1; p < b.row(k, j) + b.n - 1; ++p) {
        next[p] = 0.4 * u[p] + 0.1 * (u[p - 1] + u[p + 1] + u[p - b.n] + u[p + b.n] + u[p - b.plane] + u[p + b.plane]);
      }
    }
  }
}

/// Along k inside, so that every access is a plane away from the last.
CORPUS_REGION void seven_across(const Box& b, const Reals& u, Reals& next) {
#pragma omp parallel for
  for (std::size_t j = 1; j < b.n - 1; ++j) {
    for (std::size_t i = 1; i < b.n - 1; i += 8) {
      for (std::size_t k = 1; k < b.n - 1; ++k) {
        const std::size_t p = b.row(k, j) + i;
        next[p] = 0.4 * u[p] + 0.3 * (u[p - b.plane] + u[p + b.plane]);
      }
    }
  }
}

CORPUS_REGION void twenty_seven(const Box& b, const Reals& u, Reals& next) {
#pragma omp parallel for collapse(2)
  for (std::size_t k = 1; k < b.n - 1; ++k) {
    for (std::size_t j = 1; j < b.n - 1; ++j) {
      for (std::size_t i = 1; i < b.n - 1; ++i) {
        double sum = 0;
        for (std::size_t z = k - 1; z <= k + 1; ++z) {
          for (std::size_t y = j - 1; y <= j + 1; ++y) {
            const double* p = &u[b.row(z, y) + i];
            sum += p[-1] + p[0] + p[1];
          }
        }
        next[b.row(k, j) + i] = sum / 27;
      }
    }
  }
}

/// The square of the speed of sound is another array; leapfrog in time. In single precision, as is usual there.
CORPUS_REGION void eighth_order(const Box& b, const Floats& u, const Floats& speed, Floats& old) {
  constexpr float c[5] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
#pragma omp parallel for
  for (std::size_t k = 4; k < b.n - 4; ++k) {
    for (std::size_t j = 4; j < b.n - 4; ++j) {
      for (std::size_t p = b.row(k, j) + 4; p < b.row(k, j) + b.n - 4; ++p) {
        float sum = 3 * c[0] * u[p];
        for (std::size_t d = 1; d <= 4; ++d) {
          sum +=
              c[d] * (u[p - d] + u[p + d] + u[p - d * b.n] + u[p + d * b.n] + u[p - d * b.plane] + u[p + d * b.plane]);
        }
        old[p] = 2 * u[p] - old[p] + speed[p] * sum;
      }
    }
  }
}

CORPUS_REGION void speeds(const Reals& u, Floats& speed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < speed.size(); ++i) speed[i] = 0.02f + 0.08f * static_cast<float>(u[i] * u[i]);
}

CORPUS_REGION void shot(const Box& b, Floats& u) {
  for (std::size_t p = 0; p < b.size; ++p) {
    const auto i = static_cast<float>(p % b.n), j = static_cast<float>(p / b.n % b.n),
               half = static_cast<float>(b.n) / 2;
    const float square = (i - half) * (i - half) + (j - half) * (j - half);
    u[p] = square < 36 ? 1 - square / 36 : 0;
  }
}

/// The centre's neighbours weigh by how alike they are (Perona and Malik, 1990): divisions for each.
CORPUS_REGION void anisotropic(const Box& b, const Reals& u, Reals& next) {
  const std::size_t steps[3] = {1, b.n, b.plane};
#pragma omp parallel for schedule(dynamic, 2)
  for (std::size_t k = 1; k < b.n - 1; ++k) {
    for (std::size_t j = 1; j < b.n - 1; ++j) {
      for (std::size_t p = b.row(k, j) + 1; p < b.row(k, j) + b.n - 1; ++p) {
        double flow = 0;
        for (const std::size_t step : steps) {
          const double up = u[p + step] - u[p], down = u[p - step] - u[p];
          flow += up / (1 + 9 * up * up) + down / (1 + 9 * down * down);
        }
        next[p] = u[p] + 0.1 * flow;
      }
    }
  }
}

/// Tiles of 8 rows over all planes: the planes of a tile stay in the cache.
CORPUS_REGION void tiled(const Box& b, const Reals& u, Reals& next) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t first = 1; first < b.n - 1; first += 8) {
    const std::size_t last = std::min(first + 8, b.n - 1);
    for (std::size_t k = 1; k < b.n - 1; ++k) {
      for (std::size_t j = first; j < last; ++j) {
        for (std::size_t p = b.row(k, j) + 1; p < b.row(k, j) + b.n - 1; ++p) {
          next[p] = (u[p - 1] + u[p + 1] + u[p - b.n] + u[p + b.n] + u[p - b.plane] + u[p + b.plane] - 6 * u[p]) * 0.5;
        }
      }
    }
  }
}

/// Red and black in one array, in place.
CORPUS_REGION void red_black(const Box& b, std::size_t colour, Reals& u) {
#pragma omp parallel for
  for (std::size_t k = 1; k < b.n - 1; ++k) {
    for (std::size_t j = 1; j < b.n - 1; ++j) {
      for (std::size_t i = 1 + (k + j + colour) % 2; i < b.n - 1; i += 2) {
        const std::size_t p = b.row(k, j) + i;
        u[p] = (u[p - 1] + u[p + 1] + u[p - b.n] + u[p + b.n] + u[p - b.plane] + u[p + b.plane]) / 6;
      }
    }
  }
}

/// The six faces, with strides of one, a row and a plane.
CORPUS_REGION void reflect(const Box& b, Reals& u) {
  const std::size_t m = b.n - 1;
  for (std::size_t k = 0; k < b.n; ++k) {
    for (std::size_t j = 0; j < b.n; ++j) {
      u[b.row(k, j)] = u[b.row(k, j) + 1];
      u[b.row(k, j) + m] = u[b.row(k, j) + m - 1];
      u[b.row(k, 0) + j] = u[b.row(k, 1) + j];
      u[b.row(k, m) + j] = u[b.row(k, m - 1) + j];
      u[b.row(0, k) + j] = u[b.row(1, k) + j];
      u[b.row(m, k) + j] = u[b.row(m - 1, k) + j];
    }
  }
}

CORPUS_REGION double energy(const Floats& now, const Floats& old, const Floats& speed) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < now.size(); ++i) {
    const float change = now[i] - old[i];
    sum += static_cast<double>(change * change / speed[i]);
  }
  return sum;
}

CORPUS_REGION double curl(const Box& b, const Reals& u, const Reals& v) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t p = b.plane; p < b.size - b.plane; ++p) {
    sum += std::fabs(v[p + 1] - v[p - 1] - u[p + b.n] + u[p - b.n]) + std::fabs(u[p + b.plane] - u[p - b.plane]);
  }
  return sum;
}

CORPUS_REGION double most(const Reals& u) {
  double value = 0;
#pragma omp parallel for reduction(max : value)
  for (std::size_t i = 0; i < u.size(); ++i) value = std::max(value, std::fabs(u[i]));
  return value;
}

corpus::Answer stencils(const corpus::Input& input) {
  const Box b(input.pick<std::size_t>(52, 64));
  Reals u(b.size), v(b.size);
  Floats now(b.size), old(b.size), speed(b.size);
  randomise(u, input.seed);
  speeds(u, speed);
  shot(b, now);
  old = now;
  for (int step = 0; step < 2; ++step) {
    eighth_order(b, now, speed, old);
    std::swap(now, old);
  }
  seven(b, u, v);
  const bool bounded = most(v) <= 1;  // a mean of values below 1
  twenty_seven(b, v, u);
  seven_across(b, u, v);
  anisotropic(b, v, u);
  tiled(b, u, v);
  red_black(b, 0, u);
  red_black(b, 1, u);
  reflect(b, u);
  return {curl(b, u, v) + energy(now, old, speed), bounded && most(u) <= 2};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, stencils); }
