#include "runtime/record/region_book.h"

#include <atomic>
#include <cstring>

namespace lbhm {
namespace {

lbhm_code_region* behind(lbhm_code_region* record) {
  return reinterpret_cast<lbhm_code_region*>(reinterpret_cast<char*>(record) + record->bytes);
}

}  // namespace

RegionBook& RegionBook::of_process() {
  static auto* const book = new RegionBook;
  return *book;
}

void RegionBook::add(lbhm_code_region* first, lbhm_code_region* last) {
  const std::lock_guard lock(mutex_);
  std::unordered_set<std::uint64_t> taken;
  for (lbhm_code_region* record = first; record < last && record->bytes != 0; record = behind(record)) {
    std::uint64_t id = record->id;
    while (!taken.insert(id).second && (record->flags & LBHM_REGION_LOCAL) != 0) ++id;
    add_one(*record, id);
  }
}

void RegionBook::add_one(lbhm_code_region& record, std::uint64_t id) {
  const auto next = static_cast<std::uint32_t>(regions_.size() + 1);
  const auto [entry, fresh] = slots_.try_emplace(id, next);
  if (fresh) {
    const char* function = record.text + std::strlen(record.text) + 1;
    regions_.push_back({id, record.text, function, record.line, record.kind});
  }
  std::atomic_ref(record.slot).store(entry->second, std::memory_order_release);
}

std::uint32_t RegionBook::slot(lbhm_code_region& record) {
  const std::atomic_ref known(record.slot);
  if (const std::uint32_t slot = known.load(std::memory_order_acquire); slot != 0) return slot;
  const std::lock_guard lock(mutex_);
  if (known.load(std::memory_order_relaxed) == 0) add_one(record, record.id);
  return known.load(std::memory_order_relaxed);
}

CodeRegion RegionBook::region(std::uint32_t slot) {
  const std::lock_guard lock(mutex_);
  return regions_[slot - 1];
}

std::uint32_t RegionBook::size() {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(regions_.size());
}

}  // namespace lbhm
