// Series of measurements: warping with a lower bound, nearest subsequences (the matrix profile), correlations with
// shifts, symbols, smoothing with seasons, change points, filters of Kalman and of hidden states in batches, running
// medians.
// Source: Sakoe, Chiba, IEEE Trans. ASSP 26(1), 1978; Keogh, Ratanamahatana, KAIS 7(3), 2005; Zhu et al., ICDM 2016;
// Lin et al., DMKD 15(2), 2007; Winters, Management Science 6(3), 1960; Page, Biometrika 41, 1954; Kalman, J. Basic
// Eng. 82(1), 1960; Viterbi, IEEE Trans. Inf. Theory 13(2), 1967; Haerdle, Steiger, Appl. Statistics 44(2), 1995.
#include <algorithm>
#include <array>
#include <cmath>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t length = 512;  // of one of many series

/// Waves with noise; a series every row.
CORPUS_REGION void measure(Floats& series, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t s = 0; s < series.size() / length; ++s)
    for (std::size_t t = 0; t < length; ++t) {
      const double phase = corpus::random_real(seed, s) + static_cast<double>(t) / static_cast<double>(24 + s % 5);
      const double jump = t > 300 && s % 4 == 0 ? 1.5 : 0;
      series[s * length + t] =
          static_cast<float>(std::sin(6.2831853 * phase) + jump + corpus::random_real(seed + 1, s * length + t) - 0.5);
    }
}

/// Every series to mean 0 and variance 1.
CORPUS_REGION void normalise(const Floats& series, Floats& out) {
#pragma omp parallel for
  for (std::size_t s = 0; s < series.size(); s += length) {
    float sum = 0, square = 0;
    for (std::size_t t = s; t < s + length; ++t) sum += series[t], square += series[t] * series[t];
    const float mean = sum / length, scale = 1 / std::sqrt(square / length - mean * mean);
    for (std::size_t t = s; t < s + length; ++t) out[t] = (series[t] - mean) * scale;
  }
}

constexpr std::size_t band = 12;

/// The least and the most near each time of the first series: an envelope.
void envelope(const Floats& series, Floats& low, Floats& high) {
  for (std::size_t t = 0; t < length; ++t) {
    const auto from = series.begin() + static_cast<std::ptrdiff_t>(t < band ? 0 : t - band);
    const auto to = series.begin() + static_cast<std::ptrdiff_t>(std::min(length, t + band + 1));
    low[t] = *std::min_element(from, to), high[t] = *std::max_element(from, to);
  }
}

/// How far each series leaves the envelope: no warping can do better.
CORPUS_REGION void bound(const Floats& series, const Floats& low, const Floats& high, Floats& bounds) {
#pragma omp parallel for
  for (std::size_t s = 0; s < bounds.size(); ++s) {
    float sum = 0;
    for (std::size_t t = 0; t < length; ++t) {
      const float x = series[s * length + t];
      const float out = std::max(0.0f, std::max(x - high[t], low[t] - x));
      sum += out * out;
    }
    bounds[s] = sum;
  }
}

/// Distances of every fourth series to the first, where time may stretch by twelve steps.
CORPUS_REGION void warp(const Floats& series, Floats& distances) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t s = 0; s < distances.size(); s += 4) {
    std::array<float, length + 1> row, next;
    row.fill(1e9f), row[0] = 0;
    for (std::size_t t = 1; t <= length; ++t) {
      next.fill(1e9f);
      for (std::size_t u = t <= band ? 1 : t - band; u <= std::min(length, t + band); ++u) {
        const float d = series[s * length + t - 1] - series[u - 1];
        next[u] = d * d + std::min(row[u - 1], std::min(row[u], next[u - 1]));
      }
      row = next;
    }
    distances[s] = row[length];
  }
}

/// Products of a series with itself at every shift; sums of windows roll along the diagonal.
CORPUS_REGION void profile(const Floats& x, std::size_t window, std::size_t shifts, Floats& nearest) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < 12; ++part)
    for (std::size_t shift = 1000 + part; shift < 1000 + shifts; shift += 12) {
      float sum = 0;
      for (std::size_t i = 0; i + shift < x.size(); ++i) {
        const float d = x[i] - x[i + shift];
        sum += d * d;
        if (i < window) continue;
        const float e = x[i - window] - x[i - window + shift];
        sum -= e * e;
        float& best = nearest[part * x.size() + i];
        best = std::min(best, sum);
      }
    }
}

CORPUS_REGION void least(const Floats& nearest, Floats& out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = nearest[i];
    for (std::size_t part = 1; part < 12; ++part) out[i] = std::min(out[i], nearest[part * out.size() + i]);
  }
}

/// With 64 shifts, each over the whole.
CORPUS_REGION void correlate(const Floats& x, std::array<float, 64>& out) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t shift = 0; shift < 64; ++shift) {
    float sum = 0;
    for (std::size_t i = shift; i < x.size(); i += 2) sum += x[i] * x[i - shift];
    out[shift] = 2 * sum / static_cast<float>(x.size());
  }
}

/// Means of 8 values as one of 8 letters.
CORPUS_REGION void to_letters(const Floats& series, Bytes& letters) {
  constexpr std::array<float, 7> limits{-1.15f, -0.67f, -0.32f, 0, 0.32f, 0.67f, 1.15f};
#pragma omp parallel for
  for (std::size_t i = 0; i < letters.size(); ++i) {
    float sum = 0;
    for (std::size_t k = 8 * i; k < 8 * i + 8; ++k) sum += series[k] / 8;
    letters[i] = static_cast<std::uint8_t>(std::lower_bound(limits.begin(), limits.end(), sum) - limits.begin());
  }
}

/// Words of five letters, counted: 32,768 counters.
CORPUS_REGION void count_words(const Bytes& letters, std::vector<std::uint32_t>& counts) {
  std::uint32_t word = 0;
  for (const std::uint8_t letter : letters) ++counts[word = (word << 3 | letter) & 32767];
}

/// Level, trend and 24 seasons; forecasts of the next value.
CORPUS_REGION double smooth(const Floats& series, Floats& forecast) {
  double error = 0;
#pragma omp parallel for reduction(+ : error)
  for (std::size_t s = 0; s < series.size() / length; ++s) {
    std::array<float, 24> season{};
    float level = 0, trend = 0, sum = 0;
    for (std::size_t t = 0; t < length; ++t) {
      const float x = series[s * length + t], guess = level + trend + season[t % 24];
      forecast[s * length + t] = guess;
      const float before = level;
      level = 0.2f * (x - season[t % 24]) + 0.8f * (level + trend);
      trend = 0.05f * (level - before) + 0.95f * trend;
      season[t % 24] += 0.3f * (x - level - season[t % 24]);
      sum += (x - guess) * (x - guess);
    }
    error += static_cast<double>(sum);
  }
  return error / static_cast<double>(series.size());
}

/// Where the sum of what is above the mean was largest: a step up (CUSUM). From both ends.
CORPUS_REGION void change_points(const Floats& series, std::vector<std::uint32_t>& where) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t s = 0; s < where.size(); ++s) {
    float sum = 0, lowest = 1e9f;
    for (std::size_t t = length; t-- > 0;) {
      sum += series[s * length + t];
      const float drop = -sum;
      if (drop < lowest) lowest = drop, where[s] = static_cast<std::uint32_t>(t);
    }
  }
}

/// Place and speed with their uncertainty.
struct State {
  float x = 0, v = 0, xx = 1, xv = 0, vv = 1;
};

/// One step of many filters: records of five numbers, and series at a stride of a row.
CORPUS_REGION void track(const Floats& series, std::size_t t, std::vector<State>& states) {
#pragma omp parallel for
  for (std::size_t s = 0; s < states.size(); ++s) {
    State& f = states[s];
    f.x += f.v;
    f.xx += 2 * f.xv + f.vv + 0.01f, f.xv += f.vv, f.vv += 0.01f;
    const float gain = f.xx / (f.xx + 0.1f), turn = f.xv / (f.xx + 0.1f), error = series[s * length + t] - f.x;
    f.x += gain * error, f.v += turn * error;
    f.vv -= turn * f.xv, f.xx *= 1 - gain, f.xv *= 1 - gain;
  }
}

/// The likeliest of eight hidden states for each letter: forwards with the ways there, then back along them.
CORPUS_REGION void viterbi(const Bytes& letters, std::vector<std::array<std::uint8_t, 8>>& from, Bytes& path) {
  const std::size_t piece = length / 8;
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t s = 0; s < letters.size() / piece; ++s) {
    std::array<float, 8> score{}, next;
    for (std::size_t i = s * piece; i < (s + 1) * piece; ++i) {
      for (std::size_t to = 0; to < 8; ++to) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < 8; ++k)
          if (score[k] - (k == to ? 0 : 1.5f) > score[best] - (best == to ? 0 : 1.5f)) best = k;
        from[i][to] = static_cast<std::uint8_t>(best);
        next[to] = score[best] - (best == to ? 0 : 1.5f) - (to == letters[i] ? 0.0f : 1.0f);
      }
      score = next;
    }
    auto at = static_cast<std::uint8_t>(std::max_element(score.begin(), score.end()) - score.begin());
    for (std::size_t i = (s + 1) * piece; i-- > s * piece; at = from[i][at]) path[i] = at;
  }
}

/// Medians of the last 33 values, which are kept in order.
CORPUS_REGION void running_medians(const Floats& x, Floats& out) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t start = 0; start < x.size(); start += 8192) {
    Floats sorted;
    sorted.reserve(34);
    for (std::size_t i = start; i < std::min(x.size(), start + 8192); ++i) {
      sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), x[i]), x[i]);
      if (sorted.size() > 33) sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), x[i - 33]));
      out[i] = sorted[sorted.size() / 2];
    }
  }
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t count = input.pick<std::size_t>(720, 1'200), n = count * length;
  Floats series(n), normal(n), other(n);
  measure(series, input.seed);
  normalise(series, normal);
  Floats low(length), high(length), bounds(count), distances(count);
  envelope(normal, low, high);
  bound(normal, low, high, bounds);
  warp(normal, distances);
  bool right = distances[0] == 0;
  for (std::size_t s = 0; s < count; s += 4) right = right && bounds[s] <= distances[s] * 1.0001f;
  const Floats part(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(n / 12));
  Floats nearest(12 * part.size(), 1e9f), best(part.size());
  profile(part, 64, 48, nearest);
  least(nearest, best);
  std::array<float, 64> shifted;
  correlate(normal, shifted);
  right = right && std::max_element(shifted.begin(), shifted.end()) == shifted.begin();
  Bytes letters(n / 8), path(n / 8);
  to_letters(normal, letters);
  std::vector<std::uint32_t> words(32'768), where(count);
  count_words(letters, words);
  const double error = smooth(series, other);
  change_points(normal, where);
  for (std::size_t s = 0; s < count; s += 4) right = right && where[s] > 250 && where[s] < 350;
  running_medians(series, other);
  std::vector<State> states(count);
  for (std::size_t t = 0; t < 8; ++t) track(normal, t, states);
  std::vector<std::array<std::uint8_t, 8>> from(letters.size());
  viterbi(letters, from, path);
  return {.checksum = error + static_cast<double>(best[777] + states[5].x + other[99]) + words[9] + path[77],
          .right = right && error < 1};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
