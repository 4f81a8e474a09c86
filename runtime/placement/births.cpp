#include "runtime/placement/births.h"

#include <algorithm>
#include <cmath>

namespace lbhm::placement {
namespace {

constexpr TierId fast_tier{0};

std::uint64_t pages_of(Bytes bytes, Bytes page) { return (bytes.value + page.value - 1) / page.value; }

}  // namespace

MigrationPlan Births::place(const PlacedObject& object, Bytes page) {
  std::string key(object.name);
  if (key.empty()) key = "#" + std::to_string(unnamed_++);
  MigrationPlan plan;
  if (const auto known = parts_.find(key); known != parts_.end()) {
    const auto pages = static_cast<double>(pages_of(object.bytes, page));
    for (const Part& part : known->second) {
      const auto begin = static_cast<std::uint64_t>(std::llround(part.begin * pages));
      const auto end = static_cast<std::uint64_t>(std::llround(part.end * pages));
      if (end > begin) plan.moves.push_back({object.address + begin * page.value, page * (end - begin), fast_tier});
    }
  }
  keys_[object.address] = std::move(key);
  return plan;
}

void Births::scope_begins(const ScopeStart& start) {
  scope_.assign(start.objects.begin(), start.objects.end());
  unnamed_ = 0;
}

void Births::learn(std::span<const PageRange> fast, Bytes page) {
  for (const PlacedObject& object : scope_) {
    const auto key = keys_.find(object.address);
    if (key == keys_.end()) continue;
    const std::uint64_t count = pages_of(object.bytes, page);
    std::vector<Part>& parts = parts_[key->second];
    parts.clear();
    const std::uintptr_t end = object.address + count * page.value;
    auto range = std::ranges::lower_bound(fast, object.address, {}, &PageRange::address);
    for (; range != fast.end() && range->address < end; ++range) {
      const double begin = static_cast<double>(range->address - object.address) / static_cast<double>(page.value);
      const double length = range->bytes / page;
      parts.push_back({begin / static_cast<double>(count), (begin + length) / static_cast<double>(count)});
    }
  }
}

}  // namespace lbhm::placement
