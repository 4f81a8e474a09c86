// A program drawn from a seed that is made to harm policies that move pages: first touch is right, and what is hot goes
// as soon as pages have moved. An ordinary OpenMP program.
#include <omp.h>

#include <cinttypes>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <optional>

#include "apps/adversary/windows.h"
#include "apps/common/number_options.h"

namespace {

using namespace adversary;

constexpr int good = 0, wrong_result = 1;
constexpr std::size_t words_per_mib = (std::size_t{1} << 20) / sizeof(std::uint64_t);

struct Options {
  int mebibytes = 16, kloads = 4000, seed = 1;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(argc, argv, "adversary", "A program that is made to harm policies that move pages",
                            {{"--mib", options.mebibytes, 1, 1 << 15, "MiB of memory (16)"},
                             {"--kloads", options.kloads, 1, 1'000'000'000, "thousand loads (4000)"},
                             {"--seed", options.seed, 0, std::numeric_limits<int>::max(), "of what it does (1)"}});
}

/// The eighth of the memory that is hot during a stay. The first one lies where memory appeared first.
Window window_of(std::size_t words, std::uint64_t stay) {
  const std::size_t size = words / 8, begin = stay % 8 * size;
  return {begin, begin + size};
}

Found run_stay(const Shape& shape, Words& memory, std::uint64_t stay, std::uint64_t loads) {
  const std::size_t words = memory.size();
  switch (shape.kind) {
    case Kind::even:
      return memory.look_up(shape, {0, words}, loads, stay);
    case Kind::streams:
      return memory.go_through(loads, stay);
    case Kind::swaps:
      return memory.look_up(shape, window_of(words, stay % 2 * 4), loads, stay);
    case Kind::flees:
      return memory.look_up(shape, window_of(words, stay * 3), loads, stay);
    case Kind::tables: {
      Words table(words / 8);
      Found found = table.look_up(shape, {0, table.size()}, loads / 2, stay);
      return found += memory.look_up(shape, window_of(words, 0), loads / 2, stay);
    }
    case Kind::prelude:
      if (stay >= shape.stays / 2) return memory.look_up(shape, window_of(words, 0), loads, stay);
      // One thread takes about as long for an eighth of them as all of them do for all.
      return memory.look_up(shape, window_of(words, 4), loads / 8, stay, true);
  }
  return {};
}

Found run(const Shape& shape, std::size_t words, std::uint64_t loads) {
  Words memory(words);
  const double begin = omp_get_wtime();
  Found found;
  for (std::uint64_t stay = 0; stay < shape.stays; ++stay) found += run_stay(shape, memory, stay, loads / shape.stays);
  std::fprintf(stderr, "time: %.6f s\n", omp_get_wtime() - begin);
  return found;
}

int print(const Shape& shape, const Found& found) {
  std::printf("%s: %u stays, %u %% hot, %s, %u %% written\n", name_of(shape.kind), shape.stays, shape.hot,
              shape.chase ? "chase" : "gather", shape.writes);
  std::printf("verified: %s\n", found.wrong == 0 ? "yes" : "NO");
  std::printf("checksum: 0x%016" PRIx64 "\n", found.sum);
  return found.wrong == 0 ? good : wrong_result;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    const Shape shape = draw_shape(static_cast<std::uint64_t>(options.seed));
    const std::uint64_t loads = static_cast<std::uint64_t>(options.kloads) * 1000;
    return print(shape, run(shape, static_cast<std::size_t>(options.mebibytes) * words_per_mib, loads));
  } catch (const std::bad_alloc&) {
    std::fputs("adversary: not enough memory. Use a smaller --mib.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "adversary: %s\n", error.what()); }
  return wrong_result;
}
