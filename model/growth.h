// By how much the objects of a task grew.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "runtime/base/units.h"

namespace lbhm::model {

/// Geometric mean of S_new / S_base over the slots for which `counts(slot)` holds and whose size changed. A size of 0
/// says nothing.
template <class Counts>
std::optional<double> mean_growth(std::span<const Bytes> base, std::span<const Bytes> now, Counts counts) {
  double logarithms = 0;
  std::size_t changed = 0;
  for (std::size_t slot = 0; slot < base.size() && slot < now.size(); ++slot) {
    if (!counts(slot) || base[slot] == now[slot] || base[slot].value == 0 || now[slot].value == 0) continue;
    logarithms += std::log(now[slot] / base[slot]);
    ++changed;
  }
  if (changed == 0) return std::nullopt;
  return std::exp(logarithms / static_cast<double>(changed));
}

/// The rule of input_scales: objects that only this task accesses, if one of them changed, else all that it accesses.
/// `tasks(slot)`: how many tasks access the object, 0 if this one does not.
template <class Tasks>
double growth_of_task(std::span<const Bytes> base, std::span<const Bytes> now, Tasks tasks) {
  const auto of_own = mean_growth(base, now, [&](std::size_t slot) { return tasks(slot) == 1; });
  const auto of_all = mean_growth(base, now, [&](std::size_t slot) { return tasks(slot) > 0; });
  return of_own.value_or(of_all.value_or(1));
}

}  // namespace lbhm::model
