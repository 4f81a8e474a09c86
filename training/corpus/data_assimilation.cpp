// Data assimilation with an ensemble of Lorenz' 1996 model: forecasts (rate style), the ensemble transform Kalman
// filter, its local form, serial updates by one observation after the other, a particle filter, and three-dimensional
// variational analysis with recursive filters.
// Source: Lorenz, ECMWF Seminar on Predictability, 1996; Hunt, Kostelich, Szunyogh, Physica D 230, 2007 (transforms);
// Anderson, Mon. Wea. Rev. 131, 2003 (serial); Purser et al., Mon. Wea. Rev. 131, 2003 (recursive filters).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Vector = std::vector<double>;

constexpr std::size_t members = 24, spacing = 4;  ///< an observation at each fourth point
constexpr double error = 1.0;                     ///< variance of the observations

/// A row for each member.
struct Ensemble {
  std::size_t n;
  Vector x;
  explicit Ensemble(std::size_t size) : n(size), x(members * size) {}
  double* row(std::size_t m) { return &x[m * n]; }
  const double* row(std::size_t m) const { return &x[m * n]; }
};

CORPUS_REGION void disturb(Ensemble& e, std::uint64_t seed) {
#pragma omp parallel for collapse(2)
  for (std::size_t m = 0; m < members; ++m)
    for (std::size_t i = 0; i < e.n; ++i)
      e.row(m)[i] =
          4 + 3 * std::sin(0.01 * static_cast<double>(i)) + 2 * (corpus::random_real(seed, m * e.n + i) - 0.5);
}

/// dx_i / dt = (x_i+1 - x_i-2) x_i-1 - x_i + 8
void slope(std::size_t n, const double* x, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = i + 1 < n ? i + 1 : 0, last = i > 0 ? i - 1 : n - 1, before = i > 1 ? i - 2 : n + i - 2;
    out[i] = (x[next] - x[before]) * x[last] - x[i] + 8;
  }
}

/// Each lane has members of its own: Heun's steps.
CORPUS_REGION void forecast(Ensemble& e, double dt, Ensemble& first, Ensemble& second) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t m = 0; m < members; ++m) {
    double *x = e.row(m), *a = first.row(m), *b = second.row(m);
    slope(e.n, x, a);
    for (std::size_t i = 0; i < e.n; ++i) x[i] += dt * a[i];
    slope(e.n, x, b);
    for (std::size_t i = 0; i < e.n; ++i) x[i] += 0.5 * dt * (b[i] - a[i]);
  }
}

/// All members are read at each point: 24 streams.
CORPUS_REGION void find_mean(const Ensemble& e, Vector& mean) {
#pragma omp parallel for
  for (std::size_t i = 0; i < e.n; ++i) {
    double sum = 0;
    for (std::size_t m = 0; m < members; ++m) sum += e.row(m)[i];
    mean[i] = sum / members;
  }
}

/// Row by row; returns the sum of the variances.
CORPUS_REGION double subtract_mean(const Vector& mean, Ensemble& e, double inflation) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) collapse(2) schedule(static, 4096)
  for (std::size_t m = 0; m < members; ++m)
    for (std::size_t i = 0; i < e.n; ++i) {
      double& x = e.x[m * e.n + i];
      x = inflation * (x - mean[i]);
      sum += x * x;
    }
  return sum / (members - 1);
}

/// Records of what members have at the observed points, point after point: transposed and strided.
CORPUS_REGION void observe(const Ensemble& e, std::vector<float>& observed) {
#pragma omp parallel for
  for (std::size_t k = 0; k < e.n / spacing; ++k)
    for (std::size_t m = 0; m < members; ++m) observed[k * members + m] = static_cast<float>(e.row(m)[k * spacing]);
}

CORPUS_REGION void make_observations(std::size_t n, Vector& y, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t k = 0; k < y.size(); ++k)
    y[k] = 4 + 3 * std::sin(0.01 * static_cast<double>(k * spacing % n)) + corpus::random_real(seed, k) - 0.5;
}

/// Observations minus their means; returns the sum of the squares.
CORPUS_REGION double departures(const Vector& y, const Vector& mean, Vector& d) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t k = 0; k < y.size(); ++k) {
    d[k] = y[k] - mean[k * spacing];
    sum += d[k] * d[k];
  }
  return sum;
}

using Square = std::array<std::array<double, members>, members>;
using Weights = std::array<double, members>;

/// I (members - 1) + Y' Y / error, upper half, and Y' d / error.
CORPUS_REGION void sum_products(const std::vector<float>& observed, const Vector& d, Square& a, Weights& b) {
  double *sum = a[0].data(), *side = b.data();
#pragma omp parallel for reduction(+ : sum[ : members * members], side[ : members])
  for (std::size_t k = 0; k < d.size(); ++k) {
    const float* y = &observed[k * members];
    for (std::size_t m = 0; m < members; ++m) {
      const double factor = static_cast<double>(y[m]) / error;
      side[m] += factor * d[k];
      for (std::size_t l = m; l < members; ++l) sum[m * members + l] += factor * static_cast<double>(y[l]);
    }
  }
  for (std::size_t m = 0; m < members; ++m) a[m][m] += members - 1;
}

/// Solves a w = b by Cholesky's factors of the upper half.
template <std::size_t N>
void solve(std::array<std::array<double, N>, N>& a, std::array<double, N>& b) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i; j < N; ++j) {
      for (std::size_t k = 0; k < i; ++k) a[i][j] -= a[k][i] * a[k][j];
      a[i][j] = i == j ? std::sqrt(a[i][j]) : a[i][j] / a[i][i];
    }
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = N; i-- > 0;) {
    for (std::size_t k = i + 1; k < N; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
}

/// out = mean + X w, row by row in strips that stay in the caches.
CORPUS_REGION void shift(const Ensemble& e, const Vector& mean, const Weights& w, Vector& out) {
  constexpr std::size_t strip = 256;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < e.n; first += strip) {
    const std::size_t last = std::min(first + strip, e.n);
    for (std::size_t i = first; i < last; ++i) out[i] = mean[i];
    for (std::size_t m = 0; m < members; ++m)
      for (std::size_t i = first; i < last; ++i) out[i] += w[m] * e.row(m)[i];
  }
}

/// The local filter: a small system for each group of points, from the observations near to it.
CORPUS_REGION void local_analysis(const Ensemble& e, const std::vector<float>& observed, const Vector& d,
                                  Vector& mean) {
  constexpr std::size_t some = 8, around = 4;
#pragma omp parallel for schedule(static, 8)
  for (std::size_t k = 0; k < d.size(); ++k) {
    std::array<std::array<double, some>, some> a{};
    std::array<double, some> w{};
    for (std::size_t m = 0; m < some; ++m) a[m][m] = some - 1;
    for (std::size_t l = k >= around ? k - around : 0; l < std::min(k + around + 1, d.size()); ++l) {
      const float* y = &observed[l * members];
      const double taper = 1.0 / (error * (1 + std::fabs(static_cast<double>(l) - static_cast<double>(k))));
      for (std::size_t m = 0; m < some; ++m) {
        w[m] += taper * static_cast<double>(y[m]) * d[l];
        for (std::size_t q = m; q < some; ++q) a[m][q] += taper * static_cast<double>(y[m]) * static_cast<double>(y[q]);
      }
    }
    solve(a, w);
    for (std::size_t i = k * spacing; i < (k + 1) * spacing; ++i)
      for (std::size_t m = 0; m < some; ++m) mean[i] += w[m] * e.row(m)[i];
  }
}

/// One observation after the other, each changing what is near; by one lane. Its covariances come from all members.
CORPUS_REGION void serial_updates(const Ensemble& e, const Vector& y, std::size_t step, Vector& mean) {
  constexpr std::size_t reach = 8;
  for (std::size_t k = reach; k + reach < y.size(); k += step) {
    const std::size_t at = k * spacing;
    double variance = 0;
    for (std::size_t m = 0; m < members; ++m) variance += e.row(m)[at] * e.row(m)[at] / (members - 1);
    const double push = (y[k] - mean[at]) / (variance + error);
    for (std::size_t i = at - reach; i <= at + reach; ++i) {
      double covariance = 0;
      for (std::size_t m = 0; m < members; ++m) covariance += e.row(m)[i] * e.row(m)[at] / (members - 1);
      const double far = std::fabs(static_cast<double>(i) - static_cast<double>(at)) / (reach + 1);
      mean[i] += (1 - far) * covariance * push;
    }
  }
}

/// Logarithms of the particles' weights: a row's observed points each.
CORPUS_REGION void weigh(const Ensemble& e, const Vector& d, Weights& weight) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t m = 0; m < members; ++m) {
    double sum = 0;
    for (std::size_t k = 0; k < d.size(); ++k) sum += std::pow(d[k] - e.row(m)[k * spacing], 2.0);
    weight[m] = -0.5 * sum / (error * static_cast<double>(d.size()));
  }
}

/// Systematic resampling: rows are copied whole.
CORPUS_REGION void resample(const Ensemble& e, const Weights& weight, double start, Ensemble& out) {
  std::array<std::size_t, members> source{};
  double total = 0, sum = 0;
  for (const double w : weight) total += std::exp(w);
  for (std::size_t m = 0, from = 0; m < members; ++m) {
    while (from + 1 < members && sum + std::exp(weight[from]) < (static_cast<double>(m) + start) / members * total)
      sum += std::exp(weight[from++]);
    source[m] = from;
  }
#pragma omp parallel for collapse(2) schedule(static, 8192)
  for (std::size_t m = 0; m < members; ++m)
    for (std::size_t i = 0; i < e.n; ++i) out.x[m * e.n + i] = e.x[source[m] * e.n + i];
}

/// A Gaussian by recursion, forwards and backwards within segments that the lanes share.
CORPUS_REGION void recursive_filter(Vector& v, std::size_t segment, double alpha) {
#pragma omp parallel for
  for (std::size_t first = 0; first < v.size(); first += segment) {
    const std::size_t last = std::min(first + segment, v.size());
    v[first] *= 1 - alpha;
    for (std::size_t i = first + 1; i < last; ++i) v[i] = alpha * v[i - 1] + (1 - alpha) * v[i];
    v[last - 1] *= 1 - alpha;
    for (std::size_t i = last - 1; i-- > first;) v[i] = alpha * v[i + 1] + (1 - alpha) * v[i];
  }
}

/// The gradient of the variational problem: increment minus what the observations ask for.
CORPUS_REGION double gradient(const Vector& d, const Vector& increment, const Vector& control, Vector& g) {
  double cost = 0;
#pragma omp parallel for reduction(+ : cost)
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double miss = i % spacing == 0 ? d[i / spacing] - increment[i] : 0.0;
    g[i] = miss / error;
    cost += 0.5 * (miss * miss / error + control[i] * control[i]);
  }
  return cost;
}

CORPUS_REGION void descend(const Vector& g, double rate, Vector& control, Vector& increment) {
#pragma omp parallel for
  for (std::size_t i = 0; i < control.size(); ++i) {
    control[i] += rate * (g[i] - control[i]);
    increment[i] = control[i];
  }
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(9'216, 16'384), segment = 256;
  Ensemble e(n), first(n), second(n);
  Vector mean(n), analysis(n), y(n / spacing), d(y.size()), control(n), increment(n), g(n);
  std::vector<float> observed(members * y.size());
  disturb(e, input.seed);
  make_observations(n, y, input.seed + 1);
  forecast(e, 0.05, first, second);
  find_mean(e, mean);
  const double spread = subtract_mean(mean, e, 1.05) / static_cast<double>(n), before = departures(y, mean, d);
  observe(e, observed);
  Square a{};
  Weights w{};
  sum_products(observed, d, a, w);
  solve(a, w);
  shift(e, mean, w, analysis);
  const double global = departures(y, analysis, d);
  local_analysis(e, observed, d, analysis);
  const double local = departures(y, analysis, d);
  serial_updates(e, y, 1, analysis);
  const double serial = departures(y, analysis, d);
  weigh(e, d, w);
  resample(e, w, 0.5, first);

  std::array<double, 4> cost{};
  for (double& c : cost) {
    c = gradient(d, increment, control, g);
    recursive_filter(g, segment, 0.5);
    descend(g, 0.5, control, increment);
    recursive_filter(increment, segment, 0.5);
  }
  const bool right = global < before && local < global && serial < local && cost[3] < cost[0];
  return {.checksum = spread + global + local + serial + cost[3] + first.x[99], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
