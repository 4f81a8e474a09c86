#include "runtime/phases/lane_notes.h"

#include <algorithm>

namespace lbhm {

SlotIndex::SlotIndex(std::span<const SlotRange> ranges) : ranges_(ranges.begin(), ranges.end()) {
  std::sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
}

std::optional<ObjectSlot> SlotIndex::find(std::uintptr_t address) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](std::uintptr_t at, const SlotRange& range) { return at < range.address; });
  if (after == ranges_.begin()) return std::nullopt;
  const SlotRange& range = *std::prev(after);
  if (address - range.address >= range.bytes.value) return std::nullopt;
  return range.slot;
}

void LaneNotes::add(std::uint64_t base, ObjectSlot slot) {
  if (!table_) table_ = std::make_unique<Table>();
  const std::uint64_t key = (base + slot.value * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  for (std::size_t probe = key >> 54;; ++probe) {
    NotedBase& entry = table_->entries[probe % capacity];
    if (entry.times == 0) {
      if (table_->used + 1 == capacity) return;
      ++table_->used;
      entry = {.base = base, .slot = slot, .times = 1};
      return;
    }
    if (entry.base != base || entry.slot != slot) continue;
    ++entry.times;
    return;
  }
}

void LaneNotes::move_to(std::vector<NotedBase>& sum) {
  if (!table_ || table_->used == 0) return;
  for (const NotedBase& note : table_->entries) {
    if (note.times == 0) continue;
    const auto known = std::find_if(sum.begin(), sum.end(), [&](const NotedBase& each) {
      return each.base == note.base && each.slot == note.slot;
    });
    if (known == sum.end())
      sum.push_back(note);
    else
      known->times += note.times;
  }
  *table_ = {};
}

}  // namespace lbhm
