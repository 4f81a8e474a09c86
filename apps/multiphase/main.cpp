// Phases of random kernels on random buffers: H2M's Multi-Phase benchmark. An ordinary OpenMP program, but for the one
// call that says where a phase begins, which does nothing without LB-HM.
#include <omp.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "apps/common/number_options.h"
#include "apps/multiphase/kernels.h"
#include "lbhm/lbhm.h"

namespace {

using namespace multiphase;

constexpr int good = 0, wrong = 1;

struct Options {
  int buffers = 30, side = 224, phases = 30, kernels = 2, rounds = 12, seed = 1;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(
      argc, argv, "multiphase", "Phases of random kernels on random buffers",
      {{"--buffers", options.buffers, 3, 100'000, "square matrices (30)"},
       {"--size", options.side, 8, 20'000, "rows and columns of each (224)"},
       {"--phases", options.phases, 1, 1'000'000, "(30)"},
       {"--kernels", options.kernels, 1, 1'000, "of a phase (2)"},
       {"--rounds", options.rounds, 1, 1'000'000, "executions of a kernel other than dgemm (12)"},
       {"--seed", options.seed, 0, std::numeric_limits<int>::max(), "of the choice of kernels and buffers (1)"}});
}

/// What is said of the elements that are looked at, and of all numbers.
struct Verdict {
  int looked_at = 0, wrong = 0;
  std::uint64_t checksum = 1;

  void compare(double found, double expected) {
    ++looked_at;
    if (!(std::abs(found - expected) <= 1e-12 * (1 + std::abs(expected)))) ++wrong;
  }
  void add(double number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    checksum = (checksum ^ bits) * 0x9e3779b97f4a7c15U;
    checksum ^= checksum >> 32;
  }
};

class Program {
 public:
  explicit Program(const Options& options)
      : options_(options),
        random_(static_cast<std::uint64_t>(options.seed)),
        rows_(static_cast<std::size_t>(options.side)) {
    for (int i = 0; i < options.buffers; ++i) buffers_.push_back(make());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    for (const Buffer& buffer : buffers_) std::free(buffer.at);
  }

  /// Touched first by the threads that work on them.
  void fill() {
    for (std::size_t number = 0; number < buffers_.size(); ++number) {
      const Buffer& buffer = buffers_[number];
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < buffer.size(); ++i)
        buffer.at[i] = static_cast<double>((i * 7 + number * 13) % 101) / 101;
    }
  }

  void run() {
    for (int phase = 0; phase < options_.phases; ++phase) {
      if (lbhm_phase_transition) lbhm_phase_transition(("phase " + std::to_string(phase)).c_str());
      for (int kernel = 0; kernel < options_.kernels; ++kernel) run_kernel();
    }
    for (const Buffer& buffer : buffers_)
      for (std::size_t i = 0; i < buffer.size(); i += 97) verdict_.add(buffer.at[i]);
  }

  const Verdict& verdict() const { return verdict_; }

 private:
  Buffer make() const {
    const auto side = static_cast<std::size_t>(options_.side);
    auto* const memory = static_cast<double*>(std::malloc(side * side * sizeof(double)));
    if (!memory) throw std::bad_alloc();
    return {memory, side};
  }

  std::size_t draw(std::size_t below) { return random_() % below; }

  /// Three different buffers.
  void run_kernel() {
    const std::size_t kernel = draw(4), first = draw(buffers_.size());
    const std::size_t second = (first + 1 + draw(buffers_.size() - 2)) % buffers_.size();
    std::size_t third = draw(buffers_.size());
    while (third == first || third == second) third = (third + 1) % buffers_.size();
    const Buffer &a = buffers_[first], &b = buffers_[second], &c = buffers_[third];
    const std::size_t row = draw(a.side), column = draw(a.side), element = row * a.side + column;
    const double before = b.at[element];
    if (kernel == 0) {
      dgemm(a, b, c);
      return verdict_.compare(c.at[element], dgemm_at(a, b, row, column));
    }
    for (int round = 0; round < options_.rounds; ++round) {
      if (kernel == 1) verdict_.add(dot(a, b, rows_.data()));
      if (kernel == 2) daxpy(1e-3, a, b);
      if (kernel == 3) stencil(a, b);
    }
    if (kernel == 1) verdict_.compare(rows_[row], dot_of_row(a, b, row));
    if (kernel == 2) verdict_.compare(b.at[element], before + options_.rounds * 1e-3 * a.at[element]);
    if (kernel == 3) verdict_.compare(b.at[element], stencil_at(a, row, column));
  }

  const Options options_;
  std::mt19937_64 random_;
  std::vector<Buffer> buffers_;
  std::vector<double> rows_;
  Verdict verdict_;
};

int run(const Options& options) {
  Program program(options);
  program.fill();
  const double begin = omp_get_wtime();
  program.run();
  const double seconds = omp_get_wtime() - begin;
  const Verdict& verdict = program.verdict();
  std::printf("elements compared: %d, wrong: %d\n", verdict.looked_at, verdict.wrong);
  std::printf("verified: %s\n", verdict.wrong == 0 ? "yes" : "NO");
  std::printf("checksum: 0x%016" PRIx64 "\n", verdict.checksum);
  std::fprintf(stderr, "time: %.6f s\n", seconds);
  return verdict.wrong == 0 ? good : wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("multiphase: not enough memory. Use fewer --buffers or a smaller --size.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "multiphase: %s\n", error.what()); }
  return wrong;
}
