#include "apps/common/random.h"

#include <numeric>
#include <utility>

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

}  // namespace apps
