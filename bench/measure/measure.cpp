// lbhm-measure: what this machine is like, for its description as an emulated machine (lbhm machine measure --emulate).
//
//   lbhm-measure L1 L2 LLC MEMORY      sizes in bytes: of the caches, and of what is used to be beyond them
//
// Prints JSON: {"name": {"value", "spread"}} or null where something cannot be measured here; names end in their unit.
// What is measured next goes to stderr, one name a line.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "bench/measure/core.h"
#include "bench/measure/figure.h"
#include "bench/measure/kernels/chase.h"
#include "bench/measure/kernels/streams.h"
#include "bench/measure/memory.h"

namespace {

using namespace measure;

constexpr std::size_t steps = 500'000;  // of a chase, a repetition
constexpr int many = 15;                // repetitions of what takes a millisecond only

/// Chases go through blocks of 1 MiB one after the other: 256 small pages, which every TLB of interest reaches, for
/// latencies are meant with the translation at hand, and huge pages may be small ones below a virtual machine.
constexpr std::size_t chase_block = 256 * 4096 / sizeof(Line);

class Printer {
 public:
  using Measurement = std::function<double()>;
  std::optional<Figure> operator()(const char* name, const Measurement& measurement, int times = repetitions) {
    std::fprintf(stderr, "%s\n", name);
    const std::optional<Figure> figure = repeated(measurement, times);
    if (figure) {
      std::printf("%s\n \"%s\": {\"value\": %.6g, \"spread\": %.3g}", separator_, name, figure->value, figure->spread);
    } else {
      std::printf("%s\n \"%s\": null", separator_, name);
    }
    std::fflush(stdout);
    separator_ = ",";
    return figure;
  }

 private:
  const char* separator_ = "";
};

void core(Printer& print, std::size_t memory_bytes) {
  print("frequency_ghz", frequency_ghz, many);
  print("dispatch_width", dispatch_width, many);
  print("misprediction_cycles", misprediction_cycles, many);
  const Lines memory(memory_bytes);
  link_chase(memory.lines(), memory.lines().size(), 1);  // so that chases from different lines do not meet
  print("reorder_window", [&] { return window(memory.lines(), op::nop, 1024); });
  print("write_buffer", [&] { return window(memory.lines(), op::store_rax, 256); });
  print("fill_buffers", [&] { return misses_under_way(memory.lines()); });
}

/// A chase within `bytes`.
void cache_latency(Printer& print, const std::string& name, std::size_t bytes) {
  const Lines memory(bytes);
  link_chase(memory.lines(), chase_block, 1);
  Walk walk(memory.lines());
  walk.step_ns(2 * memory.lines().size());  // warm
  print(name.c_str(), [&] { return walk.step_ns(steps); });
}

/// Up to twice the last level, for what a system reports of it may belong to others or be switched off.
void cache_latencies(Printer& print, std::size_t l1, std::size_t l2, std::size_t llc) {
  cache_latency(print, "l1_ns", l1 / 2);
  cache_latency(print, "l2_ns", std::max(2 * l1, l2 / 4));
  for (std::size_t bytes = 2 * l2; bytes <= 2 * llc; bytes *= 2) {
    cache_latency(print, "llc_ns_" + std::to_string(bytes), bytes);
  }
}

void memory_latency(Printer& print, std::size_t bytes) {
  const Lines single(bytes);
  const Lines paired(bytes);
  link_chase(single.lines(), chase_block, 1);
  link_chase(paired.lines(), chase_block, 2);
  Walk alone(single.lines());
  Walk pairs(paired.lines());
  print("latency_random_ns", [&] { return alone.step_ns(steps); });
  print("latency_sequential_ns", [&] { return 2 * pairs.step_ns(steps) - alone.step_ns(steps); });
}

/// What a step through one line of each of `count` pages takes longer with small pages than with huge ones.
void page_walk(Printer& print, const Lines& small, const Lines& huge, std::size_t count) {
  // A difference of two times may be less than nothing where nothing is the truth; what cannot be told is 0.001 ns.
  print(("page_walk_ns_" + std::to_string(count)).c_str(),
        [&] { return std::max(1e-3, page_step_ns(small, count) - page_step_ns(huge, count)); });
}

/// Up to as many pages as have their lines in half of the second-level cache, where the step from hits to misses of the
/// TLB shows; then so many that all of their lines are beyond it, for what a walk costs a program with much memory.
void tlb(Printer& print, std::size_t l2) {
  const std::size_t most = 2 * l2 / sizeof(Line);
  const Lines small(most * 4096, Pages::small);
  const Lines huge(most * 4096, Pages::huge);
  for (std::size_t count = 64; count <= most / 4; count *= 2) page_walk(print, small, huge, count);
  page_walk(print, small, huge, most);
}

void bandwidth(Printer& print, std::size_t bytes) {
  const Lines first(bytes / 2);
  const Lines second(bytes / 2);
  stream_write(first.words(), 1);
  stream_write(second.words(), 2);
  const double one = static_cast<double>(bytes / 2) / 1e9;
  std::uint64_t sum = 0;
  const auto streams = [&](const std::string& threads) {
    const auto read = print(("read_gb_per_s_" + threads).c_str(),
                            [&] { return one / elapsed_seconds_of([&] { sum += stream_read(first.words()); }); });
    print(("write_gb_per_s_" + threads).c_str(),
          [&] { return one / elapsed_seconds_of([&] { stream_write(first.words(), sum); }); });
    print(("copy_gb_per_s_" + threads).c_str(),
          [&] { return one / elapsed_seconds_of([&] { stream_copy(first.words(), second.words()); }); });
    return read->value;
  };
  const double read = streams("all");
  link_chase(second.lines(), chase_block, 1);
  print("loaded_latency_ratio", [&] { return loaded_latency_ratio(second.lines(), first.words(), read); });
  omp_set_num_threads(1);
  streams("one");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("Usage: lbhm-measure L1 L2 LLC MEMORY: bytes of the caches, and of memory to use\n", stderr);
    return 2;
  }
  const auto bytes = [&](int i) { return static_cast<std::size_t>(std::atoll(argv[i])); };
  std::printf("{");
  Printer print;
  core(print, bytes(4));
  cache_latencies(print, bytes(1), bytes(2), bytes(3));
  memory_latency(print, bytes(4));
  tlb(print, bytes(2));
  bandwidth(print, bytes(4));
  std::printf("\n}\n");
}
