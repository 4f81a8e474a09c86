// lbhm-measure: what this machine is like, for its description as an emulated machine (lbhm machine measure --emulate).
//
//   lbhm-measure L1 L2 LLC MEMORY      sizes in bytes: of the caches, and of what is used to be beyond them
//
// Prints JSON: {"name": {"value", "spread"}} or null where something cannot be measured here; names end in their unit.
// What is measured next goes to stderr, one name a line.
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "bench/measure/figure.h"
#include "bench/measure/kernels/chase.h"
#include "bench/measure/kernels/streams.h"
#include "bench/measure/measured_core.h"
#include "bench/measure/measured_memory.h"
#include "bench/measure/printer.h"

namespace {

using namespace measure;

constexpr std::size_t steps = 500'000;  // of a chase, a repetition
constexpr int many = 15;                // repetitions of what takes a millisecond only

/// Chases in caches go through blocks of 1 MiB one after the other: 256 small pages, which every TLB of interest
/// reaches, for latencies are meant with the translation at hand, and huge pages may be small ones below a virtual
/// machine.
constexpr std::size_t chase_block = std::size_t{256} * 4096 / sizeof(Line);

void core(Printer& print, std::size_t memory_bytes) {
  print("frequency_ghz", frequency_ghz, Noise::takes, many);
  print("dispatch_width", dispatch_width, Noise::both, many);
  print("addition_cycles", addition_cycles, Noise::both, many);
  print("misprediction_cycles", misprediction_cycles, Noise::both, many);
  const Lines memory(memory_bytes);
  link_chase(memory.lines(), memory.lines().size(), 1);  // so that chases from different lines do not meet
  print("reorder_window", [&] { return window(memory.lines(), op::nop, 1024); }, Noise::both);
  print("write_buffer", [&] { return window(memory.lines(), op::store_rax, 256); }, Noise::both);
  print("fill_buffers", [&] { return misses_under_way(memory.lines()); }, Noise::both);
}

/// A chase within `bytes`, timed in short pieces: what others do to a shared cache comes and goes. What they leave of
/// it also depends on how soon a line is used again, so all lines are read before each piece, as fast as that goes.
void cache_latency(Printer& print, const std::string& name, std::size_t bytes) {
  constexpr std::size_t piece = 20'000;
  constexpr int pieces = 50;
  const Lines memory(bytes);
  link_chase(memory.lines(), chase_block, 1);
  Walk walk(memory.lines());
  const auto once = [&] {
    read_all(memory.lines());
    return walk.step_ns(piece);
  };
  print(name, once, Noise::adds, pieces);
}

/// Up to twice the last level, for what a system reports of it may belong to others or be switched off. A cycle that is
/// a little larger than a cache misses with every step: so sizes rise by a fourth of a power of two.
void cache_latencies(Printer& print, std::size_t l1, std::size_t l2, std::size_t llc) {
  cache_latency(print, "l1_ns", l1 / 2);
  cache_latency(print, "l2_ns", std::max(2 * l1, l2 / 4));
  constexpr std::size_t page = 4096;
  const std::size_t steps_up = 4 * static_cast<std::size_t>(std::bit_width(llc / l2));
  for (std::size_t i = 0; i < steps_up; ++i) {
    const auto bytes = static_cast<std::size_t>(static_cast<double>(2 * l2) * std::exp2(static_cast<double>(i) / 4));
    if (bytes > 2 * llc) break;
    cache_latency(print, "llc_ns_" + std::to_string(bytes / page * page), bytes / page * page);
  }
}

void line_pace(Printer& print, const char* name, std::size_t bytes) {
  constexpr std::size_t loads = 100'000;
  constexpr int pieces = 40;
  const Lines memory(std::bit_floor(bytes));
  for (Line& line : memory.lines()) line.rest[0] = 0;
  print(name, [&] { return line_pace_ns(memory.lines(), loads); }, Noise::adds, pieces);
}

/// Blocks of 1 MiB need no walks, but they meet open rows of the memory's banks, too. So what is random is measured
/// through all pages at once, where nearly every step walks; what a walk takes is measured apart (tlb()).
void memory_latency(Printer& print, std::size_t bytes) {
  const Lines single(bytes);
  const Lines paired(bytes);
  link_chase(single.lines(), chase_block, 1);
  link_chase(paired.lines(), chase_block, 2);
  Walk alone(single.lines());
  Walk pairs(paired.lines());
  const auto block = print("latency_block_ns", [&] { return alone.step_ns(steps); }, Noise::adds);
  double pair = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) pair = std::min(pair, 2 * pairs.step_ns(steps));
  print("latency_sequential_ns", [&] { return pair - block->value; }, Noise::both);
  link_chase(single.lines(), single.lines().size(), 1);
  print("latency_with_walk_ns", [&] { return alone.step_ns(steps); }, Noise::adds);
}

/// What a step through one line of each of `count` pages takes longer with small pages than with huge ones: the best of
/// one against the best of the other, in turn, for their difference is smaller than what disturbs either.
double page_walk_ns(const Lines& small, const Lines& huge, std::size_t count) {
  double with_walk = std::numeric_limits<double>::infinity();
  double without = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    with_walk = std::min(with_walk, page_step_ns(small, count));
    without = std::min(without, page_step_ns(huge, count));
  }
  // A difference of two times may be less than nothing where nothing is the truth; what cannot be told is 0.001 ns.
  return std::max(1e-3, with_walk - without);
}

void page_walk(Printer& print, const Lines& small, const Lines& huge, std::size_t count) {
  print("page_walk_ns_" + std::to_string(count), [&] { return page_walk_ns(small, huge, count); }, Noise::both, 3);
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

/// Lines of a stream that is timed at once: twice the last level of a large processor, and over in some milliseconds,
/// so that some of the `many_streams` meet a quiet moment.
constexpr std::size_t portion = (std::size_t{64} << 20) / sizeof(Words);
constexpr int many_streams = 40;

/// The portions of both arrays in turn, so that none is in a cache.
class Portions {
 public:
  Portions(const Lines& first, const Lines& second) : first_(first.words()), second_(second.words()) {}
  void next() { at_ = at_ + 2 * portion > first_.size() ? 0 : at_ + portion; }
  std::span<Words> from() const { return first_.subspan(at_, std::min(portion, first_.size())); }
  std::span<Words> to() const { return second_.subspan(at_, std::min(portion, second_.size())); }

 private:
  std::span<Words> first_, second_;
  std::size_t at_ = 0;
};

/// One thread is timed by its processor time, several by what passes.
double rate_gb_per_s(const Portions& on, const std::function<void()>& stream) {
  const double seconds = omp_get_max_threads() == 1 ? seconds_of(stream) : elapsed_seconds_of(stream);
  return static_cast<double>(on.from().size_bytes()) / 1e9 / seconds;
}

double streams(Printer& print, Portions& on, const std::string& threads) {
  static std::uint64_t sum = 0;
  const auto rate = [&](const char* name, const std::function<void()>& stream) {
    const auto once = [&] {
      on.next();
      return rate_gb_per_s(on, stream);
    };
    return print(name + threads, once, Noise::takes, many_streams)->value;
  };
  const double read = rate("read_gb_per_s_", [&] { sum += stream_read(on.from()); });
  rate("write_gb_per_s_", [&] { stream_write(on.from(), sum); });
  rate("copy_gb_per_s_", [&] { stream_copy(on.from(), on.to()); });
  return read;
}

void bandwidth(Printer& print, std::size_t bytes) {
  const Lines first(bytes / 2);
  const Lines second(bytes / 2);
  stream_write(first.words(), 1);
  stream_write(second.words(), 2);
  Portions portions(first, second);
  const double read = streams(print, portions, "all");
  link_chase(second.lines(), chase_block, 1);
  print("loaded_latency_ratio", [&] { return loaded_latency_ratio(second.lines(), first.words(), read); }, Noise::both);
  omp_set_num_threads(1);
  streams(print, portions, "one");
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
  line_pace(print, "l2_line_ns", bytes(2) / 2);
  line_pace(print, "llc_line_ns", 4 * bytes(2));
  memory_latency(print, bytes(4));
  tlb(print, bytes(2));
  bandwidth(print, bytes(4));
  std::printf("\n}\n");
}
