// load-probe: the latency of memory that others use. The first thread follows a chase; all others load and store lines
// at a share, with pauses. An ordinary program: built plain it measures the machine, built with the plugin the emulated
// one. Prints JSON, a list with a point for each share and pause:
//   read_percent   of the lines that memory moves: a line that is stored to is read first, and written later
//   gb_per_s       lines that were read and written by all threads, 64 bytes each
//   latency_ns     of a step of the chase (kernels/chase.h: random), the idle one with the pause "idle"
// Both are null where a thread did nothing in the second half of its time.
#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bench/measure/kernels/chase.h"
#include "bench/measure/kernels/lines.h"
#include "bench/measure/node_memory.h"

namespace {

using namespace measure;

constexpr const char* usage =
    "Usage: load-probe --reads P,... (percent, 50 to 100) --pauses N,... (steps of arithmetic after each 64 lines)\n"
    "                  [--bytes N: of each thread, default 2 MiB] [--chase N: of the chase, default 2 MiB]\n"
    "                  [--microseconds N: of a point, default 4000]\n"
    "                  [--node N: where the memory is, as in /sys/devices/system/node; -1, the default: anywhere]\n"
    "Threads: OMP_NUM_THREADS, two or more.\n";

constexpr std::size_t portion = 64;                                         // lines between two pauses
constexpr std::size_t chase_block = std::size_t{64} * 4096 / sizeof(Line);  // within the reach of every TLB
constexpr std::size_t chase_steps = 64;                                     // between two looks at the clock

struct Options {
  std::vector<std::size_t> reads;
  std::vector<std::size_t> pauses;
  std::size_t bytes = std::size_t{2} << 20;
  std::size_t chase = std::size_t{2} << 20;
  std::size_t microseconds = 4000;
  int node = -1;
};

/// What one thread did while it counted.
struct alignas(64) Done {
  double seconds = 0;
  double units = 0;  // steps of the chase, or lines
  std::uint64_t check = 0;
};

/// Half of the time passes before anything is counted: caches hold what they will hold then, and the load is steady.
/// Nothing is counted where memory is so slow, or the thread so long without a processor, that the time is over then.
template <class Work>
Done timed(double begin, double duration, const Work& work) {
  while (omp_get_wtime() < begin + duration / 2) work();
  Done done;
  const double from = omp_get_wtime();
  double now = from;
  while (now < begin + duration) {
    done.units += work();
    now = omp_get_wtime();
  }
  done.seconds = now - from;
  return done;
}

Done chase_for(const Line*& at, double begin, double duration) {
  Done done = timed(begin, duration, [&] {
    at = chase(at, chase_steps);
    return static_cast<double>(chase_steps);
  });
  done.check = static_cast<std::uint64_t>(at->next - at);
  return done;
}

/// Of each portion the first `stores` lines are stored to. Two loops, so that each has one kind of access.
Done load_and_store(std::span<Words> lines, std::size_t stores, std::size_t pause, double begin, double duration) {
  std::size_t at = 0;
  Words sum{};
  std::uint64_t chain = 1;
  Done done = timed(begin, duration, [&] {
    if (at + portion > lines.size()) at = 0;
    for (std::size_t i = 0; i < stores; ++i) lines[at + i] = sum;
    for (std::size_t i = stores; i < portion; ++i) sum += lines[at + i];
#pragma clang loop unroll(disable)
    for (std::size_t i = 0; i < pause; ++i) chain = chain * 6364136223846793005u + 1442695040888963407u;
    at += portion;
    return static_cast<double>(portion + stores);
  });
  done.check = sum[0] + chain;
  return done;
}

void print_figures(std::span<const Done> done) {
  if (std::ranges::any_of(done, [](const Done& each) { return each.units == 0; })) {
    std::printf("\"gb_per_s\": null, \"latency_ns\": null}");
    return;
  }
  double rate = 0;
  for (const Done& each : done) rate += each.units / each.seconds;
  std::printf("\"gb_per_s\": %.6g, \"latency_ns\": %.6g}", rate * sizeof(Line) / 1e9,
              done[0].seconds / done[0].units * 1e9);
}

/// The place of each thread's lines is its own, so that its pages are, too.
class Probe {
 public:
  explicit Probe(const Options& options)
      : options_(options),
        threads_(static_cast<std::size_t>(omp_get_max_threads())),
        chased_(options.chase),
        streamed_(options.bytes * threads_),
        at_(chased_.lines().data()) {
    link_chase(chased_.lines(), chase_block, 1);
#pragma omp parallel
    std::ranges::fill(part(static_cast<std::size_t>(omp_get_thread_num())), Words{});
  }

  void print(std::size_t reads, std::size_t pause, bool idle) {
    // s stores of n lines make n + s transfers, of which n are reads.
    const std::size_t stores = std::min((portion * 100 + reads / 2) / reads - portion, portion);
    const double duration = static_cast<double>(options_.microseconds) * 1e-6;
    std::vector<Done> done(threads_);
#pragma omp parallel
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const double begin = omp_get_wtime();
      if (thread == 0) {
        done[0] = chase_for(at_, begin, duration);
      } else if (!idle) {
        done[thread] = load_and_store(part(thread), stores, pause, begin, duration);
      }
    }
    for (const Done& each : done) check_ += each.check;
    std::printf("%s\n {\"read_percent\": %.4g, \"pause\": %zu, \"idle\": %s, ", separator_,
                100.0 * portion / static_cast<double>(portion + stores), pause, idle ? "true" : "false");
    print_figures(std::span(done).first(idle ? 1 : threads_));
    std::fflush(stdout);
    separator_ = ",";
  }
  std::uint64_t check() const { return check_; }

 private:
  std::span<Words> part(std::size_t thread) const {
    const std::size_t size = streamed_.words().size() / threads_;
    return streamed_.words().subspan(thread * size, size);
  }

  const Options& options_;
  std::size_t threads_;
  Lines chased_;
  Lines streamed_;
  const Line* at_;
  std::uint64_t check_ = 0;
  const char* separator_ = "";
};

[[noreturn]] void refuse() {
  std::fputs(usage, stderr);
  std::exit(2);
}

std::vector<std::size_t> numbers(std::string_view text) {
  std::vector<std::size_t> values;
  for (const char* at = text.data(); at < text.data() + text.size(); ++at) {
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), values.emplace_back());
    if (error != std::errc{} || (*end != ',' && *end != '\0')) refuse();
    at = end;
  }
  if (values.empty()) refuse();
  return values;
}

Options options_from(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--node" && std::string_view(argv[i + 1]) == "-1") continue;
    const std::vector<std::size_t> values = numbers(argv[i + 1]);
    if (name == "--node") options.node = static_cast<int>(values[0]);
    if (name == "--reads") options.reads = values;
    if (name == "--pauses") options.pauses = values;
    if (name == "--bytes") options.bytes = std::max<std::size_t>(values[0], 1 << 16);
    if (name == "--chase") options.chase = std::max<std::size_t>(values[0], 1 << 16);
    if (name == "--microseconds") options.microseconds = std::max<std::size_t>(values[0], 1);
  }
  const auto wrong = [](std::size_t reads) { return reads < 50 || reads > 100; };
  if (argc % 2 == 0 || options.pauses.empty() || options.reads.empty() || std::ranges::any_of(options.reads, wrong) ||
      omp_get_max_threads() < 2)
    refuse();
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_from(argc, argv);
  if (options.node >= 0 && !bind_to_node(options.node)) {
    std::fprintf(stderr, "load-probe: the kernel refuses set_mempolicy for node %d; lbhm doctor says more\n",
                 options.node);
    return 1;
  }
  Probe probe(options);
  std::printf("{\"points\": [");
  probe.print(100, 0, true);
  for (const std::size_t reads : options.reads) {
    for (const std::size_t pause : options.pauses) probe.print(reads, pause, false);
  }
  std::printf("], \"threads\": %d, \"check\": %llu}\n", omp_get_max_threads(),
              static_cast<unsigned long long>(probe.check()));
}
