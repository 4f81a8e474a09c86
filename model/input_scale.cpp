// How much longer a task takes on a new input: the role of section 5.2, where the paper scales block counts by the
// cosine similarity of the vectors of object sizes. That cannot see that one input is larger than another of the same
// shape (their similarity is 1), so ours looks at ratios of sizes. docs/model.md compares the two.
#include <cmath>
#include <optional>

#include "lbhm/model.h"

namespace lbhm {
namespace {

using SlotTable = std::vector<std::vector<bool>>;  ///< [task][slot]: does the task access the object?

SlotTable slots_used(const ScopeProfile& profile) {
  SlotTable used(profile.tasks.size(), std::vector<bool>(profile.object_bytes.size()));
  for (std::size_t task = 0; task < profile.tasks.size(); ++task) {
    for (const PageCount& page : profile.tasks[task].pages) {
      if (page.slot.value < profile.object_bytes.size()) used[task][page.slot.value] = true;
    }
  }
  return used;
}

/// Objects that exactly one task accesses.
std::vector<bool> own_slots(const SlotTable& used, std::size_t slots) {
  std::vector<bool> own(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::size_t users = 0;
    for (const auto& task : used) users += task[slot];
    own[slot] = users == 1;
  }
  return own;
}

/// Geometric mean of S_new / S_base over the slots for which `counts(slot)` holds and whose size changed.
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

}  // namespace

std::vector<double> input_scales(const ScopeProfile& profile, std::span<const Bytes> now) {
  const SlotTable used = slots_used(profile);
  const std::vector<bool> own = own_slots(used, profile.object_bytes.size());
  std::vector<double> scales;
  for (const auto& task : used) {
    const auto of_own = mean_growth(profile.object_bytes, now, [&](std::size_t s) { return task[s] && own[s]; });
    const auto of_all = mean_growth(profile.object_bytes, now, [&](std::size_t s) { return bool(task[s]); });
    scales.push_back(of_own.value_or(of_all.value_or(1)));
  }
  return scales;
}

}  // namespace lbhm
