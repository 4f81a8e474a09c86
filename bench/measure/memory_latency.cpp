#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "bench/measure/figure.h"
#include "bench/measure/kernels/chase.h"
#include "bench/measure/measured_memory.h"

namespace measure {
namespace {

/// A line that is never reached: what a walk ends at is compared with it, so that the compiler keeps the walk.
const Line nowhere{};

}  // namespace

double Walk::step_ns(std::size_t steps) {
  const double seconds = seconds_of([&] { at_ = chase(at_, steps); });
  return at_ == &nowhere ? 0 : seconds * 1e9 / static_cast<double>(steps);
}

void read_all(std::span<const Line> lines) {
  for (const Line& line : lines) static_cast<void>(*const_cast<Line* const volatile*>(&line.next));
}

double page_step_ns(const Lines& memory, std::size_t count) {
  constexpr std::size_t lines_a_page = 4096 / sizeof(Line);
  const std::span<Line> lines = memory.lines();
  // In random order, or page tables would be read line by line. The line within the page changes, or all would fall
  // into few sets of the caches.
  std::vector<std::size_t> pages(count);
  std::iota(pages.begin(), pages.end(), std::size_t{0});
  std::shuffle(pages.begin(), pages.end(), std::mt19937_64(1));
  const auto line_of = [&](std::size_t i) { return &lines[pages[i] * lines_a_page + pages[i] * 5 % lines_a_page]; };
  for (std::size_t i = 0; i < count; ++i) line_of(i)->next = line_of((i + 1) % count);
  Walk walk({line_of(0), 1});
  walk.step_ns(2 * count);  // warm
  return walk.step_ns(std::max<std::size_t>(200'000, 4 * count));
}

double line_pace_ns(std::span<const Line> lines, std::size_t loads) {
  const std::size_t mask = lines.size() - 1;
  const std::size_t step = (lines.size() * 5 / 8) | 1;  // odd: it meets every line; no prefetcher follows so far
  std::uint64_t sums[2] = {};
  const double seconds = seconds_of([&] {
    std::size_t at = 0;
    for (std::size_t i = 0; i < loads; i += 2) {
      sums[0] += lines[at].rest[0];
      sums[1] += lines[at = (at + step) & mask].rest[0];
      at = (at + step) & mask;
    }
  });
  return sums[0] + sums[1] == 1 ? 0 : seconds * 1e9 / static_cast<double>(loads);
}

double misses_under_way(std::span<const Line> lines) {
  constexpr std::size_t steps = 20'000;
  double alone = 0;
  double fastest = 0;
  for (std::size_t chains = 1; chains <= 64; chains = chains < 4 ? chains + 1 : chains + chains / 4) {
    std::vector<const Line*> at;
    at.reserve(chains);
    for (std::size_t i = 0; i < chains; ++i) at.push_back(&lines[(2 * i + 1) * lines.size() / (2 * chains)]);
    const double seconds = seconds_of([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        for (const Line*& line : at) line = line->next;
      }
    });
    if (at.front() == &nowhere) return 0;
    const double a_step = seconds / static_cast<double>(steps * chains);
    if (chains == 1) alone = fastest = a_step;
    fastest = std::min(fastest, a_step);
  }
  return alone / fastest;
}

}  // namespace measure
