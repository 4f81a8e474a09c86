#include "apps/common/kronecker.h"

#include "apps/common/memory.h"

namespace apps {

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
