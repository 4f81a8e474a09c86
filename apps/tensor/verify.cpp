#include "apps/tensor/verify.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "apps/common/checksum.h"

namespace tensor {
namespace {

/// A sum, and the same of the absolute values.
struct Sum {
  double value = 0;
  double scale = 0;
  void add(double factor, const Sum& other) {
    value += factor * other.value;
    scale += std::fabs(factor) * other.scale;
  }
};
using Sums = std::unordered_map<Key, Sum>;

/// The random number from [-1, 1) that belongs to a key.
Sum random_of(Key key, std::uint64_t seed) {
  const double number = static_cast<double>(apps::mix(apps::mix(key) ^ apps::mix(seed + 1)) >> 11) * 0x1p-52 - 1;
  return {.value = number, .scale = std::fabs(number)};
}

Sums expected_sums(const Coo& x, const Coo& y, const Contraction& contraction, std::uint64_t seed) {
  Sums middle;
  for (std::size_t i = 0; i < y.nonzeros(); ++i) {
    middle[contraction.y_contract(y.at(i))].add(y.values.data()[i], random_of(contraction.y_free(y.at(i)), seed));
  }
  Sums result;
  for (std::size_t i = 0; i < x.nonzeros(); ++i) {
    const auto found = middle.find(contraction.x_contract(x.at(i)));
    if (found != middle.end()) result[contraction.x_free(x.at(i))].add(x.values.data()[i], found->second);
  }
  return result;
}

std::span<const Element> nonzeros_of(const Task& task) { return {task.z.data(), task.z_nonzeros}; }

double relative(double difference, double scale) {
  if (difference == 0) return 0;
  const double result = difference / scale;
  // NaN counts as wrong.
  return std::isnan(result) ? std::numeric_limits<double>::infinity() : result;
}

}  // namespace

double largest_difference(const Coo& x, const Coo& y, const Contraction& contraction, std::span<const Task> tasks,
                          std::uint64_t seed) {
  const Sums expected = expected_sums(x, y, contraction, seed);
  Sums found;
  for (const Task& task : tasks) {
    for (const Element& entry : nonzeros_of(task)) found[entry.major].add(entry.value, random_of(entry.minor, seed));
  }
  double largest = 0;
  for (const auto& [key, sum] : expected) {
    const double difference = std::fabs(found[key].value - sum.value);
    largest = std::max(largest, relative(difference, sum.scale));
  }
  // What is found and not expected has nothing to be compared with.
  return found.size() > expected.size() ? std::numeric_limits<double>::infinity() : largest;
}

bool is_sorted(std::span<const Task> tasks) {
  const Element* before = nullptr;
  for (const Task& task : tasks) {
    for (const Element& entry : nonzeros_of(task)) {
      const bool ascending = before == nullptr || before->major < entry.major ||
                             (before->major == entry.major && before->minor < entry.minor);
      if (!ascending) return false;
      before = &entry;
    }
  }
  return true;
}

std::uint64_t checksum(std::span<const Task> tasks) {
  std::uint64_t sum = 0;
  for (const Task& task : tasks) {
    for (const Element& entry : nonzeros_of(task)) {
      const std::uint64_t place = apps::mix(apps::mix(entry.major + 1) + entry.minor);
      sum += apps::mix(place ^ std::bit_cast<std::uint64_t>(entry.value));
    }
  }
  return sum;
}

}  // namespace tensor
