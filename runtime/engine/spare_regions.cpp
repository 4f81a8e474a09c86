#include "runtime/engine/spare_regions.h"

#include <array>

namespace lbhm::engine {
namespace {

/// Of the process, not of threads: those that end leave nothing behind.
constinit std::array<std::atomic<RegionInstance*>, 4> spares{};

}  // namespace

RegionInstance* take_region() {
  for (auto& place : spares) {
    if (!place.load(std::memory_order_relaxed)) continue;
    if (RegionInstance* const region = place.exchange(nullptr, std::memory_order_acquire)) return region;
  }
  return new RegionInstance;
}

void give_back_region(RegionInstance* region) {
  for (auto& place : spares) {
    RegionInstance* nobody = nullptr;
    if (place.compare_exchange_strong(nobody, region, std::memory_order_release, std::memory_order_relaxed)) return;
  }
  delete region;
}

}  // namespace lbhm::engine
