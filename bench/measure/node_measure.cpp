// lbhm-measure-node: what the memory of one node is like for the processors that this process may use.
//
//   lbhm-measure-node memory NODE BYTES        latency by working set and load, bandwidth by threads; NODE -1: any
//   lbhm-measure-node migration FROM TO BYTES  moving pages between nodes, by page size and batch
//   lbhm-measure-node query NODE BYTES         asking where pages are, by batch; NODE -1: any
//
// Prints JSON as lbhm-measure does. Latencies are defined in kernels/chase.h; of a copy and a triad all bytes count
// that are read or written, as in STREAM. Bandwidths and latencies as in PEARS (MEMSYS 2021, section 4.1), which has
// the mean of 10 runs: here it is the best one, for what others do to a shared machine only takes away, with the spread
// of all.
#include <omp.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/kernels/chase.h"
#include "bench/measure/kernels/streams.h"
#include "bench/measure/measured_memory.h"
#include "bench/measure/node_memory.h"
#include "bench/measure/node_pages.h"
#include "bench/measure/printer.h"

namespace {

using namespace measure;

constexpr double not_measurable = std::numeric_limits<double>::quiet_NaN();
constexpr int stream_repetitions = 10;  // PEARS, section 4.1
constexpr double longest_stream = 2;    // seconds of all repetitions of one figure; three there are always
constexpr std::size_t steps = 500'000;  // of a chase, a repetition

/// Chases through all lines in random order, through working sets four times larger each: what a cache holds shows.
/// Beyond the reach of the TLB a step has its page walk, as in a program.
void latency(Printer& print, std::size_t bytes) {
  constexpr std::size_t smallest = std::size_t{8} << 20;
  std::vector<std::size_t> sizes;
  for (std::size_t size = bytes; size >= smallest; size /= 4) sizes.push_back(size);
  std::ranges::reverse(sizes);
  for (const std::size_t size : sizes) {
    const Lines memory(size);
    link_chase(memory.lines(), memory.lines().size(), 1);
    Walk walk(memory.lines());
    walk.step_ns(std::min(steps, memory.lines().size()));
    const bool last = size == sizes.back();
    print("latency_ns_" + std::to_string(size), [&] { return walk.step_ns(steps); }, Noise::adds);
    if (last) print("latency_ns", [&] { return walk.step_ns(steps); }, Noise::adds);
  }
}

/// The second line of pairs of neighbours: twice a step through pairs less a step through single lines.
void latency_sequential(Printer& print, std::size_t bytes) {
  const Lines single(bytes / 2);
  const Lines paired(bytes / 2);
  link_chase(single.lines(), single.lines().size(), 1);
  link_chase(paired.lines(), paired.lines().size(), 2);
  Walk alone(single.lines());
  Walk pairs(paired.lines());
  print("latency_sequential_ns", [&] { return 2 * pairs.step_ns(steps) - alone.step_ns(steps); }, Noise::both);
}

/// While all other threads read: what a step takes at 90 % of `bandwidth` (GB/s of all threads, measured_memory.h).
void latency_loaded(Printer& print, std::size_t bytes, double bandwidth) {
  const Lines chased(bytes / 2), read(bytes / 2);
  link_chase(chased.lines(), chased.lines().size(), 1);
  read_all(read.lines());
  Walk walk(chased.lines());
  const auto once = [&] { return walk.step_ns(steps) * loaded_latency_ratio(chased.lines(), read.words(), bandwidth); };
  print("latency_loaded_ns", once, Noise::adds);
}

class Streams {
 public:
  Streams(Printer& print, std::size_t bytes) : print_(print), first_(bytes / 3), second_(bytes / 3), third_(bytes / 3) {
    for (const Lines* array : {&first_, &second_, &third_}) stream_write(array->words(), 1);
  }

  void with_threads(int threads) {
    omp_set_num_threads(threads);
    const std::string suffix = "_" + std::to_string(threads);
    read_rate_ = rate("read_gb_per_s" + suffix, 1, [&] { sum_ += stream_read(first_.words()); });
    rate("write_gb_per_s" + suffix, 1, [&] { stream_write(first_.words(), sum_); });
    rate("copy_gb_per_s" + suffix, 2, [&] { stream_copy(first_.words(), second_.words()); });
    rate("triad_gb_per_s" + suffix, 3, [&] { stream_triad(first_.words(), second_.words(), third_.words()); });
  }

  const Lines& memory() const { return first_; }
  /// GB/s, of as many threads as the last time.
  double read_rate() const { return read_rate_; }

 private:
  double rate(const std::string& name, double arrays, const std::function<void()>& stream) {
    const double gigabytes = arrays * static_cast<double>(first_.words().size_bytes()) / 1e9;
    const double once = elapsed_seconds_of(stream);
    const int times = std::clamp(static_cast<int>(longest_stream / once), 3, stream_repetitions);
    const auto found = print_(name, [&] { return gigabytes / elapsed_seconds_of(stream); }, Noise::takes, times);
    return found ? found->value : not_measurable;
  }

  Printer& print_;
  Lines first_, second_, third_;
  std::uint64_t sum_ = 0;
  double read_rate_ = not_measurable;
};

void measure_memory(Printer& print, int node, std::size_t bytes) {
  double bandwidth = not_measurable;
  {
    Streams streams(print, bytes);
    // Where the kernel tells no nodes there is one only, and all memory is of it.
    print(
        "share_on_node", [&] { return node >= 0 ? share_on_node(streams.memory(), node) : not_measurable; },
        Noise::both, 1);
    const int most = omp_get_max_threads();
    for (int threads = 1; threads < most; threads *= 2) streams.with_threads(threads);
    streams.with_threads(most);
    bandwidth = streams.read_rate();
  }
  latency(print, bytes);
  latency_sequential(print, bytes);
  latency_loaded(print, bytes, bandwidth);
}

[[noreturn]] void usage() {
  std::fputs(
      "Usage: lbhm-measure-node memory NODE BYTES | migration FROM TO BYTES | query NODE BYTES\n"
      "BYTES: of memory to use, from 33554432; nodes as in /sys/devices/system/node, -1: any, to memory and query\n",
      stderr);
  std::exit(2);
}

long number(const char* text, long least) {
  long value = 0;
  const char* end = text + std::string_view(text).size();
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < least) usage();
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr long least = 32 << 20;
  const std::string_view what = argc > 1 ? argv[1] : "";
  const bool migration = what == "migration";
  if ((what != "memory" && what != "query" && !migration) || argc != (migration ? 5 : 4)) usage();
  const int node = static_cast<int>(number(argv[2], -1));
  const auto bytes = static_cast<std::size_t>(number(argv[argc - 1], least));
  if (node >= 0 && !bind_to_node(node)) {
    std::fprintf(stderr,
                 "lbhm-measure-node: the kernel refuses set_mempolicy for node %d (%s); lbhm doctor says more\n", node,
                 std::strerror(errno));
    return 1;
  }
  std::printf("{");
  Printer print;
  if (what == "memory") measure_memory(print, node, bytes);
  if (what == "query") measure_query(print, bytes);
  if (migration) measure_migration(print, node, static_cast<int>(number(argv[3], 0)), bytes);
  std::printf("\n}\n");
}
