#include <vector>

#include "bench/measure/figure.h"
#include "bench/measure/kernels/chase.h"
#include "bench/measure/memory.h"

namespace measure {
namespace {

/// A line that is never reached: what a walk ends at is compared with it, so that the compiler keeps the walk.
const Line nowhere{};

}  // namespace

double Walk::step_ns(std::size_t steps) {
  const double seconds = seconds_of([&] { at_ = chase(at_, steps); });
  return at_ == &nowhere ? 0 : seconds * 1e9 / static_cast<double>(steps);
}

double page_step_ns(const Lines& memory, std::size_t count) {
  constexpr std::size_t lines_a_page = 4096 / sizeof(Line);
  const std::span<Line> lines = memory.lines();
  // 7 is prime to the number of pages, and the line within the page changes, or all would fall into few cache sets.
  const auto line_of = [&](std::size_t i) {
    const std::size_t page = i * 7919 % count;
    return &lines[page * lines_a_page + page * 5 % lines_a_page];
  };
  for (std::size_t i = 0; i < count; ++i) line_of(i)->next = line_of((i + 1) % count);
  Walk walk({line_of(0), 1});
  walk.step_ns(2 * count);  // warm
  return walk.step_ns(std::max<std::size_t>(200'000, 4 * count));
}

double misses_under_way(std::span<const Line> lines) {
  constexpr std::size_t steps = 20'000;
  double alone = 0;
  double fastest = 0;
  for (std::size_t chains = 1; chains <= 64; chains = chains < 4 ? chains + 1 : chains + chains / 4) {
    std::vector<const Line*> at;
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
