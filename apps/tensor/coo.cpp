#include "apps/tensor/coo.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

#include "apps/common/line_reader.h"
#include "apps/common/mini_app.h"
#include "apps/common/random_graphs.h"

namespace tensor {
namespace {

using Words = std::vector<std::string_view>;

constexpr Index max_index = 0x7fffffff;

void check_order(const apps::LineReader& lines, std::size_t words, std::size_t order) {
  if (order != 0 && words != order + 1) {
    lines.fail("expected " + std::to_string(order) + " coordinates and a value as in the lines before, that is " +
               std::to_string(order + 1) + " words, and found " + std::to_string(words) + ".");
  }
  if (words < 2 || words > max_order + 1) {
    lines.fail("expected 1 to " + std::to_string(max_order) + " coordinates and a value, and found " +
               std::to_string(words) + " words.");
  }
}

Index parse_coordinate(const apps::LineReader& lines, std::string_view word) {
  const auto number = apps::parse_number<std::uint64_t>(lines, word, "the coordinate");
  if (number < 1 || number > max_index) {
    lines.fail("the coordinate " + apps::quote(word) + " must be between 1 and " + std::to_string(max_index) + ".");
  }
  return static_cast<Index>(number - 1);
}

double parse_value(const apps::LineReader& lines, std::string_view word) {
  const auto value = apps::parse_number<double>(lines, word, "the value");
  if (!std::isfinite(value)) lines.fail("the value " + apps::quote(word) + " is not finite.");
  return value;
}

void add_entry(const apps::LineReader& lines, const Words& words, Entries& entries) {
  check_order(lines, words.size(), entries.order());
  entries.shape.resize(words.size() - 1, 0);
  for (std::size_t mode = 0; mode < entries.order(); ++mode) {
    const Index index = parse_coordinate(lines, words[mode]);
    entries.shape[mode] = std::max(entries.shape[mode], index + 1);
    entries.coordinates.push_back(index);
  }
  entries.values.push_back(parse_value(lines, words.back()));
  if (entries.nonzeros() > max_nonzeros) {
    lines.fail("more than " + std::to_string(max_nonzeros) + " non-zeros. Use a smaller tensor.");
  }
}

}  // namespace

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

Entries read_tns(std::istream& stream, const std::string& name) {
  apps::LineReader lines(stream, name);
  Entries entries;
  while (lines.next()) {
    const Words words = lines.words();
    if (!words.empty() && words.front().front() != '#') add_entry(lines, words, entries);
  }
  if (stream.bad()) lines.fail("the file cannot be read any further.");
  if (entries.nonzeros() == 0) {
    lines.fail("there is no non-zero in this file. Expected lines with the coordinates, from 1, and the value.");
  }
  return add_up_duplicates(entries);
}

Entries read_tns_file(const std::string& path) {
  std::ifstream stream = apps::open_text(path, "tensor file", "--tns");
  return read_tns(stream, path);
}

}  // namespace tensor
