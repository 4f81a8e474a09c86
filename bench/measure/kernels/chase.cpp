#include "bench/measure/kernels/chase.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace measure {

std::size_t link_chase(std::span<Line> lines, std::size_t block, std::size_t run) {
  const std::size_t count = lines.size() / run * run;
  const std::size_t runs_a_block = std::max<std::size_t>(1, block / run);
  std::vector<std::size_t> order(count / run);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(1);
  for (std::size_t begin = 0; begin < order.size(); begin += runs_a_block) {
    const std::size_t end = std::min(begin + runs_a_block, order.size());
    const std::size_t first = begin == 0 ? 1 : begin;  // the cycle starts at line 0
    for (std::size_t last = end - 1; last > first; --last) {
      std::swap(order[last], order[first + random() % (last - first + 1)]);
    }
  }
  Line* previous = &lines[order.back() * run + run - 1];
  for (const std::size_t at : order) {
    for (std::size_t i = 0; i < run; ++i) previous = previous->next = &lines[at * run + i];
  }
  return count;
}

const Line* chase(const Line* line, std::size_t steps) {
  // One load in the loop: the emulated machine tells neighbours from strangers by the site of the access.
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < steps; ++i) line = line->next;
  return line;
}

}  // namespace measure
