// How many main-memory accesses a stencil makes on an object of some size, from the microbenchmark: section 4 of the
// paper, input-independent stencils.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

bool usable(const StencilRow& row) {
  return row.points > 0 && row.element.value > 0 && row.object.value > 0 && std::isfinite(row.accesses_per_element) &&
         row.accesses_per_element > 0;
}

/// How unlike the stencil of a row is: logarithms of how many times more points, and larger elements.
double distance(const StencilRow& row, const AccessPattern& stencil) {
  const double points = std::max(1.0, static_cast<double>(stencil.points));
  const double element = std::max(1.0, static_cast<double>(stencil.element.value));
  return std::abs(std::log(row.points / points)) + std::abs(std::log(static_cast<double>(row.element.value) / element));
}

/// The rows of the measured stencil that is most like this one, by size.
std::vector<StencilRow> most_similar(std::span<const StencilRow> rows, const AccessPattern& stencil) {
  std::vector<StencilRow> like;
  for (const StencilRow& row : rows) {
    if (row.dimensions == stencil.dimensions && usable(row)) like.push_back(row);
  }
  const auto shape = [&](const StencilRow& row) { return std::tuple(distance(row, stencil), row.points, row.element); };
  const auto nearest = std::ranges::min_element(like, {}, shape);
  if (nearest == like.end()) return like;
  std::erase_if(like, [&, chosen = shape(*nearest)](const StencilRow& row) { return shape(row) != chosen; });
  std::ranges::sort(like, {}, &StencilRow::object);
  return like;
}

}  // namespace

std::optional<double> StencilTable::accesses_per_element(const AccessPattern& stencil, Bytes object) const {
  const std::vector<StencilRow> measured = most_similar(rows, stencil);
  if (measured.empty()) return std::nullopt;
  const auto right = std::ranges::lower_bound(measured, object, {}, &StencilRow::object);
  if (right == measured.begin()) return right->accesses_per_element;
  const auto left = std::prev(right);
  if (right == measured.end()) return left->accesses_per_element;
  const double position = std::log(object / left->object) / std::log(right->object / left->object);
  return std::lerp(left->accesses_per_element, right->accesses_per_element, model::share(position));
}

}  // namespace lbhm
