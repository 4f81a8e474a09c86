// stencil-probe: the microbenchmark of alpha for stencils (section 4 of the Merchandiser paper). An ordinary program:
// its parallel regions come in pairs, one that fills the caches with something else, and one that runs a stencil once
// over an object. Whoever counts the main-memory accesses of each region has the table. Prints JSON:
//   rows   in the order of the pairs: dimensions, points, element_bytes, object_bytes, elements;
//   check  a number that depends on all sums.
// Sizes grow from `--smallest` on, four to a factor of two, while the loads of all stencils together stay below
// `--loads`, up to `--largest`.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bench/measure/kernels/stencils.h"

namespace {

using namespace measure;

constexpr const char* usage =
    "Usage: stencil-probe --smallest BYTES --largest BYTES --flush BYTES [--loads N: of elements, default 2000000000]\n"
    "flush: what is read between two stencils; more than all caches of a core hold.\n";

struct Options {
  std::uint64_t smallest = 0, largest = 0, flush = 0, loads = 2'000'000'000;
};

struct Row {
  unsigned dimensions, points;
  std::size_t element, object, elements;
};

class Probe {
 public:
  explicit Probe(std::size_t flush) : flush_(flush / sizeof(double), 1.0) {}

  /// One stencil on one object of about `bytes`, a square or a cube.
  template <class Stencil, class Element>
  void measure(std::uint64_t bytes) {
    const double points = static_cast<double>(bytes) / sizeof(Element);
    const auto side = static_cast<std::size_t>(std::llround(std::pow(points, 1.0 / Stencil::dimensions)));
    const Sides sides{side, Stencil::dimensions > 1 ? side : 1, Stencil::dimensions > 2 ? side : 1};
    const std::vector<Element> grid(sides.points(), Element(1));
    evict();
    double sum = 0;
#pragma omp parallel num_threads(1)
    sum = Stencil::template sum<Element>(grid, sides);
    check_ += sum;
    rows_.push_back(
        {Stencil::dimensions, Stencil::points, sizeof(Element), grid.size() * sizeof(Element), grid.size()});
  }

  void print() const {
    std::printf("{\"rows\": [");
    for (const Row& row : rows_) {
      std::printf(
          "%s\n {\"dimensions\": %u, \"points\": %u, \"element_bytes\": %zu, \"object_bytes\": %zu, "
          "\"elements\": %zu}",
          &row == rows_.data() ? "" : ",", row.dimensions, row.points, row.element, row.object, row.elements);
    }
    std::printf("],\n \"check\": %.17g}\n", check_);
  }

 private:
  void evict() {
    double sum = 0;
#pragma omp parallel num_threads(1)
    for (const double value : flush_) sum += value;
    check_ += sum;
  }

  std::vector<double> flush_;
  std::vector<Row> rows_;
  double check_ = 0;
};

template <class Stencil>
void measure_both(Probe& probe, std::uint64_t bytes) {
  probe.measure<Stencil, float>(bytes);
  probe.measure<Stencil, double>(bytes);
}

/// Loads of all stencils on objects of this size.
std::uint64_t loads(std::uint64_t bytes) {
  constexpr unsigned points = Line3::points + Cross5::points + Box9::points + Cross7::points + Box27::points;
  return points * (bytes / sizeof(float) + bytes / sizeof(double));
}

/// Where a cache stops to hold what a stencil needs again, the count changes within less than a factor of two.
std::uint64_t next_size(std::uint64_t bytes) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * std::exp2(0.25));
}

void run(const Options& options) {
  Probe probe(options.flush);
  std::uint64_t spent = 0;
  for (std::uint64_t bytes = options.smallest; bytes <= options.largest; bytes = next_size(bytes)) {
    spent += loads(bytes);
    if (spent > options.loads) break;
    measure_both<Line3>(probe, bytes);
    measure_both<Cross5>(probe, bytes);
    measure_both<Box9>(probe, bytes);
    measure_both<Cross7>(probe, bytes);
    measure_both<Box27>(probe, bytes);
  }
  probe.print();
}

bool read(std::string_view name, std::string_view text, Options& options) {
  std::uint64_t* const target = name == "--smallest"  ? &options.smallest
                                : name == "--largest" ? &options.largest
                                : name == "--flush"   ? &options.flush
                                : name == "--loads"   ? &options.loads
                                                      : nullptr;
  if (target == nullptr) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *target);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bool right = argc % 2 == 1;
  for (int i = 1; right && i + 1 < argc; i += 2) right = read(argv[i], argv[i + 1], options);
  // A cube of the smallest object must have an inside.
  if (!right || options.smallest < 1024 || options.largest < options.smallest || options.flush == 0) {
    std::fputs(usage, stderr);
    return 2;
  }
  run(options);
}
