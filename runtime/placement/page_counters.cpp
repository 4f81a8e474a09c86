#include "runtime/placement/page_counters.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lbhm::placement {

void PageCounters::follow(std::span<const PlacedObject> objects, Bytes page, std::uint64_t newborn) {
  page_ = page.value;
  newborn_ = newborn;
  std::map<std::uintptr_t, std::vector<std::uint64_t>> now;
  for (const PlacedObject& object : objects) {
    const std::size_t pages = (object.bytes.value + page_ - 1) / page_;
    const auto known = objects_.find(object.address);
    std::vector<std::uint64_t> counts;
    if (known != objects_.end() && known->second.size() == pages) {
      counts = std::move(known->second);
    } else {
      counts.assign(pages, untouched);
    }
    now.emplace_hint(now.end(), object.address, std::move(counts));
  }
  objects_ = std::move(now);
  count_bins();
}

void PageCounters::forget(std::uintptr_t address) {
  if (objects_.erase(address) > 0) count_bins();
}

std::uint64_t* PageCounters::find(std::uintptr_t address) {
  auto object = objects_.upper_bound(address);
  if (object == objects_.begin()) return nullptr;
  --object;
  const std::size_t page = (address - object->first) / page_;
  return page < object->second.size() ? &object->second[page] : nullptr;
}

void PageCounters::appear(std::uintptr_t address) {
  std::uint64_t* const counter = find(address);
  if (counter == nullptr || *counter != untouched) return;
  *counter = fresh | newborn_;
}

bool PageCounters::count(std::uintptr_t address) {
  std::uint64_t* const counter = find(address);
  if (counter == nullptr) return false;
  appear(address);
  if (*counter < fresh) --histogram_[bin_of(*counter)];
  *counter = (*counter & ~fresh) + per_sample;
  ++histogram_[bin_of(*counter)];
  return true;
}

void PageCounters::cool() {
  for (auto& [address, counts] : objects_) {
    for (std::uint64_t& count : counts) {
      if (count != untouched) count = (count & fresh) | (count & ~fresh) / 2;
    }
  }
  count_bins();
}

void PageCounters::count_bins() {
  histogram_.fill(0);
  for (const auto& [address, counts] : objects_) {
    for (const std::uint64_t count : counts) {
      if (count < fresh) ++histogram_[bin_of(count)];
    }
  }
}

std::uint64_t PageCounters::total() const {
  std::uint64_t sum = 0;
  for (const auto& [address, counts] : objects_) {
    for (const std::uint64_t count : counts) {
      if (count < fresh) sum += count;
    }
  }
  return sum;
}

void PageCounters::list(std::vector<std::uintptr_t>& pages, std::vector<std::uint64_t>& counts) const {
  pages.clear();
  counts.clear();
  for (const auto& [address, of_object] : objects_) {
    for (std::size_t i = 0; i < of_object.size(); ++i) pages.push_back(address + i * page_);
    counts.insert(counts.end(), of_object.begin(), of_object.end());
  }
}

unsigned PageCounters::bin_of(std::uint64_t count) {
  return std::min(static_cast<unsigned>(std::bit_width(count + 1)) - 1, bins - 1);
}

}  // namespace lbhm::placement
