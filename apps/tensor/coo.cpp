#include "apps/tensor/coo.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <random>

#include "apps/common/random.h"

namespace tensor {

Coo::Coo(const std::string& name, const Entries& entries)
    : shape(entries.shape),
      coordinates(name + ".coordinates", entries.coordinates.size()),
      values(name + ".values", entries.values.size()) {
  std::ranges::copy(entries.coordinates, coordinates.begin());
  std::ranges::copy(entries.values, values.begin());
}

Entries add_up_duplicates(const Entries& entries) {
  const std::size_t order = entries.order();
  const auto at = [&](std::size_t entry) { return std::span(entries.coordinates).subspan(entry * order, order); };
  std::vector<std::uint32_t> sorted(entries.nonzeros());
  std::iota(sorted.begin(), sorted.end(), 0U);
  // By position where coordinates are the same: duplicates keep their order.
  std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
    const auto order_of_ab =
        std::lexicographical_compare_three_way(at(a).begin(), at(a).end(), at(b).begin(), at(b).end());
    return order_of_ab != 0 ? order_of_ab < 0 : a < b;
  });

  Entries result{.shape = entries.shape, .coordinates = {}, .values = {}};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && std::ranges::equal(at(sorted[i - 1]), at(sorted[i]))) {
      result.values.back() += entries.values[sorted[i]];
      continue;
    }
    result.coordinates.insert(result.coordinates.end(), at(sorted[i]).begin(), at(sorted[i]).end());
    result.values.push_back(entries.values[sorted[i]]);
  }
  return result;
}

Entries permute_mode(Entries entries, std::size_t mode, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<std::uint32_t> place = apps::random_permutation(entries.shape[mode], random);
  for (std::size_t i = mode; i < entries.coordinates.size(); i += entries.order()) {
    entries.coordinates[i] = place[entries.coordinates[i]];
  }
  return entries;
}

}  // namespace tensor
