#include "apps/common/random_graphs.h"

#include <numeric>
#include <utility>

#include "apps/common/placed_memory.h"

namespace apps {

std::uint64_t draw_below(std::mt19937_64& random, std::uint64_t bound) {
  // Lemire's multiplication; the bias is below bound / 2^64.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{random()} * bound) >> 64);
}

double draw_unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

std::vector<std::uint32_t> random_permutation(std::uint32_t count, std::mt19937_64& random) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t last = count; last > 1; --last) std::swap(order[last - 1], order[draw_below(random, last)]);
  return order;
}

APPS_NOT_MEASURED Cell draw_kronecker_cell(unsigned scale, std::mt19937_64& random) {
  // Probabilities as shares of the range of 32-bit numbers, as in GAP.
  constexpr double range = 4294967296.0;
  constexpr auto below_a = static_cast<std::uint64_t>(0.57 * range);
  constexpr auto below_b = static_cast<std::uint64_t>((0.57 + 0.19) * range);
  constexpr auto below_c = static_cast<std::uint64_t>((0.57 + 0.19 + 0.19) * range);
  Cell cell{0, 0};
  for (unsigned level = 0; level < scale; ++level) {
    const std::uint64_t point = random() >> 32;
    const bool lower = point >= below_b;
    const bool right = lower ? point >= below_c : point >= below_a;
    cell.row = 2 * cell.row + (lower ? 1 : 0);
    cell.column = 2 * cell.column + (right ? 1 : 0);
  }
  return cell;
}

}  // namespace apps
