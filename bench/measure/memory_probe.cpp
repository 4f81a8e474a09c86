// memory-probe: one property of the memory, by the clock of OpenMP. An ordinary program: built plain it measures the
// machine, built with the plugin the emulated one. Prints JSON:
//   what, threads, bytes (of all arrays together);
//   accesses   loads and stores of lines of 64 bytes whose time `seconds` is; memory moves 64 bytes for each;
//   seconds    of the timed rounds; a round before them is not counted.
// The latencies are defined in kernels/chase.h. seconds / accesses is the latency, 64 accesses / seconds the bandwidth.
#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "bench/measure/kernels/chase.h"
#include "bench/measure/kernels/lines.h"
#include "bench/measure/kernels/streams.h"

namespace {

using namespace measure;

constexpr const char* usage =
    "Usage: memory-probe --what latency-sequential|latency-random|read|write|copy|triad\n"
    "                    [--bytes N: of all arrays together, default 64 MiB] [--rounds N: timed, default 3]\n"
    "Threads: OMP_NUM_THREADS. A latency is measured by the first of them alone.\n";

/// Within the reach of every TLB of interest, so that page walks are 1 in 64 steps at most.
constexpr std::size_t chase_block = 64 * 4096 / sizeof(Line);

struct Options {
  std::string_view what;
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t rounds = 3;
};

struct Measured {
  double seconds = 0;
  double accesses = 0;
};

std::uint64_t checksum = 0;  // keeps what the kernels compute alive

double seconds_of(std::size_t rounds, const std::function<void()>& kernel) {
  kernel();
  const double begin = omp_get_wtime();
  for (std::size_t i = 0; i < rounds; ++i) kernel();
  return omp_get_wtime() - begin;
}

Measured chase_in_runs(const Options& options, std::span<Line> lines, std::size_t run) {
  const std::size_t steps = link_chase(lines, chase_block, run);
  const Line* at = lines.data();
  const double seconds = seconds_of(options.rounds, [&] { at = chase(at, steps); });
  checksum += static_cast<std::uint64_t>(at - lines.data());
  return {seconds, static_cast<double>(steps * options.rounds)};
}

Measured latency_random(const Options& options) {
  const Lines memory(options.bytes);
  return chase_in_runs(options, memory.lines(), 1);
}

Measured latency_sequential(const Options& options) {
  const Lines memory(options.bytes);
  const Measured alone = chase_in_runs(options, memory.lines(), 1);
  const Measured pairs = chase_in_runs(options, memory.lines(), 2);
  const double first_of_pairs = alone.seconds / alone.accesses * pairs.accesses / 2;
  return {pairs.seconds - first_of_pairs, pairs.accesses / 2};
}

Measured stream(const Options& options, std::size_t arrays,
                const std::function<void(std::span<const Lines*>)>& kernel) {
  const Lines first(options.bytes / arrays);
  const Lines second(arrays > 1 ? options.bytes / arrays : sizeof(Line));
  const Lines third(arrays > 2 ? options.bytes / arrays : sizeof(Line));
  const Lines* all[] = {&first, &second, &third};
  // Each thread touches its part first, with the same schedule, so that it has pages of its own memory.
  for (std::size_t i = 0; i < arrays; ++i) stream_write(all[i]->words(), i);
  const double seconds = seconds_of(options.rounds, [&] { kernel(all); });
  checksum += stream_read(first.words());
  return {seconds, static_cast<double>(first.lines().size() * arrays * options.rounds)};
}

Measured measured(const Options& options) {
  using Arrays = std::span<const Lines*>;
  if (options.what == "latency-sequential") return latency_sequential(options);
  if (options.what == "latency-random") return latency_random(options);
  if (options.what == "read") {
    return stream(options, 1, [](Arrays all) { checksum += stream_read(all[0]->words()); });
  }
  if (options.what == "write") {
    return stream(options, 1, [](Arrays all) { stream_write(all[0]->words(), 7); });
  }
  if (options.what == "copy") {
    return stream(options, 2, [](Arrays all) { stream_copy(all[0]->words(), all[1]->words()); });
  }
  if (options.what == "triad") {
    return stream(options, 3, [](Arrays all) { stream_triad(all[0]->words(), all[1]->words(), all[2]->words()); });
  }
  std::fprintf(stderr, "memory-probe: --what \"%.*s\" is unknown\n%s", static_cast<int>(options.what.size()),
               options.what.data(), usage);
  std::exit(2);
}

std::size_t number(std::string_view option, std::string_view text, std::size_t least) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least) {
    std::fprintf(stderr, "memory-probe: %.*s \"%.*s\" must be a whole number from %zu\n",
                 static_cast<int>(option.size()), option.data(), static_cast<int>(text.size()), text.data(), least);
    std::exit(2);
  }
  return value;
}

Options options_from(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--what") options.what = argv[i + 1];
    if (name == "--bytes") options.bytes = number(name, argv[i + 1], 1 << 16);
    if (name == "--rounds") options.rounds = number(name, argv[i + 1], 1);
    if (name != "--what" && name != "--bytes" && name != "--rounds") options.what = {};
  }
  if (argc % 2 == 0 || options.what.empty()) {
    std::fputs(usage, stderr);
    std::exit(2);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_from(argc, argv);
  const Measured result = measured(options);
  const bool alone = options.what.starts_with("latency");
  std::printf(
      "{\"what\": \"%.*s\", \"threads\": %d, \"bytes\": %zu, \"seconds\": %.9g, \"accesses\": %.0f, "
      "\"check\": %" PRIu64 "}\n",
      static_cast<int>(options.what.size()), options.what.data(), alone ? 1 : omp_get_max_threads(), options.bytes,
      result.seconds, result.accesses, checksum);
}
