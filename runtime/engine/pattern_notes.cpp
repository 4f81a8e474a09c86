#include "runtime/engine/pattern_notes.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>

namespace lbhm::engine {

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

struct CompiledModules::Impl {
  mutable std::mutex lock;
  std::vector<std::string> texts;  ///< not handed over yet; copied, because libraries may be unloaded
  std::vector<unsigned char*> switches;
  bool on = false;
  bool any = false;

  /// A library that was unloaded took its switch along.
  void set(unsigned char* noting) const {
    Dl_info file;
    if (dladdr(noting, &file) != 0) __atomic_store_n(noting, on ? 1 : 0, __ATOMIC_RELAXED);
  }
};

CompiledModules::CompiledModules() : impl_(std::make_unique<Impl>()) {}

CompiledModules& CompiledModules::of_process() {
  static auto* modules = new CompiledModules;  // never destroyed: libraries may be unloaded until the very end
  return *modules;
}

void CompiledModules::add(const char* first, const char* last, unsigned char* noting) {
  const std::lock_guard guard(impl_->lock);
  while (first < last) {
    const std::size_t length = strnlen(first, static_cast<std::size_t>(last - first));
    if (length > 0) impl_->texts.emplace_back(first, length);  // linkers pad sections with zero bytes
    first += length + 1;
  }
  impl_->any = true;
  impl_->switches.push_back(noting);
  impl_->set(noting);
}

std::vector<std::string> CompiledModules::hand_over(PatternCatalog& catalog) {
  std::vector<std::string> texts;
  {
    const std::lock_guard guard(impl_->lock);
    texts.swap(impl_->texts);
  }
  std::vector<std::string> complaints;
  for (const std::string& text : texts) {
    if (const Status status = catalog.add(text); !status.ok()) complaints.push_back(status.message());
  }
  return complaints;
}

void CompiledModules::note(bool on) {
  const std::lock_guard guard(impl_->lock);
  if (impl_->on == on) return;
  impl_->on = on;
  for (unsigned char* noting : impl_->switches) impl_->set(noting);
}

bool CompiledModules::any() const {
  const std::lock_guard guard(impl_->lock);
  return impl_->any;
}

}  // namespace lbhm::engine
