// Pictures from what went through or came back: projections by rays, filtered back-projection by pixels and by stripes
// of angles, algebraic reconstruction, expectation maximisation; echoes of a radar compressed and summed along their
// paths, targets above the noise around them.
// Source: Kak, Slaney, Principles of Computerized Tomographic Imaging, 1988; Joseph, IEEE Trans. Medical Imaging 1(3),
// 1982; Gordon, Bender, Herman, J. Theor. Biology 29, 1970; Shepp, Vardi, IEEE Trans. Medical Imaging 1(2), 1982;
// Carrara, Goodman, Majewski, Spotlight Synthetic Aperture Radar, 1995; Rohling, IEEE Trans. AES 19(4), 1983.
#include <algorithm>
#include <cmath>
#include <complex>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Floats = std::vector<float>;

/// A square picture, and its projections: `angles` rows of `side` rays.
struct Scan {
  std::size_t side, angles;
  Floats sine = Floats(angles), cosine = Floats(angles);
  float middle() const { return static_cast<float>(side - 1) / 2; }
};

/// Discs of different density.
CORPUS_REGION void draw(const Scan& scan, Floats& picture, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t y = 0; y < scan.side; ++y)
    for (std::size_t x = 0; x < scan.side; ++x)
      for (std::size_t disc = 0; disc < 6; ++disc) {
        const double cx = 0.25 + 0.5 * corpus::random_real(seed, 3 * disc),
                     cy = 0.25 + 0.5 * corpus::random_real(seed, 3 * disc + 1);
        const double dx = static_cast<double>(x) / static_cast<double>(scan.side) - cx;
        const double dy = static_cast<double>(y) / static_cast<double>(scan.side) - cy;
        if (dx * dx + dy * dy < 0.02 * corpus::random_real(seed, 3 * disc + 2)) picture[y * scan.side + x] += 1;
      }
}

/// Between two pixels of a row or a column; 0 outside.
float between(const float* line, std::size_t stride, std::size_t side, float at) {
  if (at < 0 || at >= static_cast<float>(side - 1)) return 0;
  const auto k = static_cast<std::size_t>(at);
  const float right = at - static_cast<float>(k);
  return (1 - right) * line[k * stride] + right * line[(k + 1) * stride];
}

/// Along one ray, step by step over rows or, if it is flat, over columns.
float along_ray(const Scan& scan, const Floats& picture, std::size_t angle, std::size_t ray) {
  const float s = scan.sine[angle], c = scan.cosine[angle], m = scan.middle(), t = static_cast<float>(ray) - m;
  const bool steep = std::fabs(c) > std::fabs(s);
  const float major = steep ? c : s, minor = steep ? s : c;
  float sum = 0;
  for (std::size_t k = 0; k < scan.side; ++k) {
    const float at = (t - (static_cast<float>(k) - m) * minor) / major + m;
    sum += steep ? between(&picture[k * scan.side], 1, scan.side, at) : between(&picture[k], scan.side, scan.side, at);
  }
  return sum / std::fabs(major);
}

CORPUS_REGION void project(const Scan& scan, const Floats& picture, Floats& rays) {
#pragma omp parallel for collapse(2) schedule(dynamic, 64)
  for (std::size_t angle = 0; angle < scan.angles; ++angle)
    for (std::size_t ray = 0; ray < scan.side; ++ray)
      rays[angle * scan.side + ray] = along_ray(scan, picture, angle, ray);
}

/// Every row is convolved with a ramp; taps are 0 at even distances.
CORPUS_REGION void ramp(const Scan& scan, const Floats& rays, Floats& filtered) {
#pragma omp parallel for
  for (std::size_t angle = 0; angle < scan.angles; ++angle)
    for (std::size_t ray = 0; ray < scan.side; ++ray) {
      const float* const row = &rays[angle * scan.side];
      float sum = row[ray] / 4;
      for (std::size_t k = (ray + 1) % 2; k < scan.side; k += 2) {
        const float distance = static_cast<float>(k) - static_cast<float>(ray);
        sum -= row[k] / (9.8696044f * distance * distance);
      }
      filtered[angle * scan.side + ray] = sum;
    }
}

/// What the rays through a pixel say, angle by angle: a gather from every row.
CORPUS_REGION void back_project(const Scan& scan, const Floats& rays, Floats& picture) {
  const float m = scan.middle();
#pragma omp parallel for
  for (std::size_t y = 0; y < scan.side; ++y)
    for (std::size_t x = 0; x < scan.side; ++x) {
      float sum = 0;
      for (std::size_t angle = 0; angle < scan.angles; ++angle)
        sum += between(
            &rays[angle * scan.side], 1, scan.side,
            (static_cast<float>(x) - m) * scan.cosine[angle] + (static_cast<float>(y) - m) * scan.sine[angle] + m);
      picture[y * scan.side + x] = sum * 3.1415927f / static_cast<float>(scan.angles);
    }
}

/// The same angle by angle over stripes of the picture: it is streamed for each.
CORPUS_REGION void back_project_angles(const Scan& scan, const Floats& rays, Floats& picture) {
  const float m = scan.middle(), scale = 3.1415927f / static_cast<float>(scan.angles);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t stripe = 0; stripe < scan.side; stripe += 16)
    for (std::size_t angle = 0; angle < scan.angles; ++angle)
      for (std::size_t y = stripe; y < std::min(scan.side, stripe + 16); ++y)
        for (std::size_t x = 0; x < scan.side; ++x)
          picture[y * scan.side + x] += scale * between(&rays[angle * scan.side], 1, scan.side,
                                                        (static_cast<float>(x) - m) * scan.cosine[angle] +
                                                            (static_cast<float>(y) - m) * scan.sine[angle] + m);
}

/// The root of the mean square of a difference.
CORPUS_REGION double difference(const Floats& a, const Floats& b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>((a[i] - b[i]) * (a[i] - b[i]));
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// What a few angles measure and the picture does not explain is put back along them.
CORPUS_REGION void correct(const Scan& scan, const Floats& rays, const Floats& guess, std::size_t first,
                           Floats& picture) {
  const float m = scan.middle(), share = 0.3f / static_cast<float>(scan.side);
  for (std::size_t angle = first; angle < scan.angles; angle += 16) {
    const float* const measured = &rays[angle * scan.side];
    const float* const explained = &guess[angle * scan.side];
#pragma omp parallel for
    for (std::size_t y = 0; y < scan.side; ++y)
      for (std::size_t x = 0; x < scan.side; ++x) {
        const float at =
            (static_cast<float>(x) - m) * scan.cosine[angle] + (static_cast<float>(y) - m) * scan.sine[angle] + m;
        picture[y * scan.side + x] +=
            share * (between(measured, 1, scan.side, at) - between(explained, 1, scan.side, at));
      }
  }
}

CORPUS_REGION void ratio(const Floats& measured, const Floats& explained, Floats& out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = measured[i] / (explained[i] + 0.01f);
}

/// Expectation maximisation: pixels times the mean ratio of their rays.
CORPUS_REGION void multiply(const Floats& factor, Floats& picture) {
#pragma omp parallel for
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] *= factor[i] * 0.3183099f;
}

using Complex = std::complex<float>;
using Signal = std::vector<Complex>;

/// Pulses of a radar on a straight flight; `ranges` samples of each.
struct Flight {
  std::size_t pulses, ranges;
  float distance(std::size_t pulse, float x, float y) const {
    const float along = static_cast<float>(pulse) - static_cast<float>(pulses) / 2;
    return std::sqrt((x - along) * (x - along) + (y + 100) * (y + 100)) - 60;
  }
};

Complex wave(float phase) { return {std::cos(phase), std::sin(phase)}; }

constexpr std::size_t chirp = 32;

/// Chirps that came back from three points, in noise.
CORPUS_REGION void receive(const Flight& f, Signal& echo, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t pulse = 0; pulse < f.pulses; ++pulse) {
    for (std::size_t r = 0; r < f.ranges; ++r)
      echo[pulse * f.ranges + r] = 0.5f * static_cast<float>(corpus::random_real(seed, pulse * f.ranges + r) - 0.5);
    for (std::size_t point = 0; point < 3; ++point) {
      const float d = f.distance(pulse, 30 * static_cast<float>(point) - 30, 25 * static_cast<float>(point) + 10);
      const auto first = static_cast<std::size_t>(d);
      for (std::size_t k = 0; k < chirp && first + k < f.ranges; ++k)
        echo[pulse * f.ranges + first + k] += wave(0.09f * static_cast<float>(k * k) - 2 * d);
    }
  }
}

/// Correlation with the chirp that was sent.
CORPUS_REGION void compress(const Flight& f, const Signal& echo, Signal& out) {
#pragma omp parallel for
  for (std::size_t pulse = 0; pulse < f.pulses; ++pulse)
    for (std::size_t k = 0; k < chirp; ++k) {
      const Complex sent = std::conj(wave(0.09f * static_cast<float>(k * k)));
      for (std::size_t r = pulse * f.ranges; r + chirp < (pulse + 1) * f.ranges; ++r) {
        const Complex e = echo[r + k];
        out[r] +=
            Complex{sent.real() * e.real() - sent.imag() * e.imag(), sent.real() * e.imag() + sent.imag() * e.real()};
      }
    }
}

/// Each pixel is the sum of all pulses at its distance, turned back by its phase.
CORPUS_REGION void focus(const Flight& f, const Signal& echo, std::size_t side, Floats& picture) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      float re = 0, im = 0;
      for (std::size_t pulse = 0; pulse < f.pulses; pulse += 4) {
        const float d = f.distance(pulse, static_cast<float>(x) - static_cast<float>(side) / 2, static_cast<float>(y));
        const Complex e = echo[pulse * f.ranges + static_cast<std::size_t>(d)], turn = wave(2 * d);
        re += e.real() * turn.real() - e.imag() * turn.imag(), im += e.real() * turn.imag() + e.imag() * turn.real();
      }
      picture[y * side + x] = re * re + im * im;
    }
}

/// Samples that are larger than 12 times the mean of the 32 around them, with a running sum.
CORPUS_REGION std::size_t detect(const Flight& f, const Signal& echo) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t pulse = 0; pulse < f.pulses; ++pulse) {
    const Complex* const row = &echo[pulse * f.ranges];
    float sum = 0;
    for (std::size_t r = 0; r < 32; ++r) sum += std::norm(row[r]);
    for (std::size_t r = 16; r + 16 < f.ranges; ++r) {
      found += std::norm(row[r]) > 12 * sum / 32;
      sum += std::norm(row[r + 16]) - std::norm(row[r - 16]);
    }
  }
  return found;
}

corpus::Answer program(const corpus::Input& input) {
  Scan scan{input.pick<std::size_t>(360, 440), 32};
  for (std::size_t a = 0; a < scan.angles; ++a) {
    const double angle = 3.14159265 * static_cast<double>(a) / static_cast<double>(scan.angles);
    scan.sine[a] = static_cast<float>(std::sin(angle)), scan.cosine[a] = static_cast<float>(std::cos(angle));
  }
  const std::size_t pixels = scan.side * scan.side;
  Floats truth(pixels), picture(pixels), stripes(pixels), rays(scan.angles * scan.side), filtered(rays), guess(rays);
  draw(scan, truth, input.seed);
  project(scan, truth, rays);
  ramp(scan, rays, filtered);
  back_project(scan, filtered, picture);
  back_project_angles(scan, filtered, stripes);
  const double empty = difference(truth, Floats(pixels)), error = difference(truth, picture);
  bool right = error < empty / 2 && difference(picture, stripes) < 1e-4;
  project(scan, picture, guess);
  correct(scan, rays, guess, 3, picture);
  ratio(rays, guess, filtered);
  back_project(scan, filtered, picture);
  multiply(picture, stripes);
  right = right && difference(truth, stripes) < empty;
  const Flight flight{input.pick<std::size_t>(192, 256), 512};
  Signal echo(flight.pulses * flight.ranges), sharp(echo.size());
  receive(flight, echo, input.seed + 1);
  compress(flight, echo, sharp);
  const std::size_t found = detect(flight, sharp), side = 128;
  Floats ground(side * side);
  focus(flight, sharp, side, ground);
  const auto brightest = static_cast<std::size_t>(std::max_element(ground.begin(), ground.end()) - ground.begin());
  const std::size_t x = brightest % side, y = brightest / side;
  const bool on_point = (x + 2 - 34) % 30 < 5 && (y + 2 - 10) % 25 < 5;
  return {.checksum = error + static_cast<double>(found + brightest), .right = right && on_point};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
