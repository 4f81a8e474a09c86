#include "runtime/engine/spare_regions.h"

#include <pthread.h>

#include <array>
#include <utility>

namespace lbhm::engine {
namespace {

/// Of the thread: what most forks take.
constinit thread_local RegionInstance* own = nullptr;
constinit thread_local bool ends_known = false;

/// Of threads that have ended, for those that begin.
constinit std::array<std::atomic<RegionInstance*>, 4> left{};

RegionInstance* take_left() {
  for (auto& place : left) {
    if (!place.load(std::memory_order_relaxed)) continue;
    if (RegionInstance* const region = place.exchange(nullptr, std::memory_order_acquire)) return region;
  }
  return nullptr;
}

void leave(RegionInstance* region) {
  for (auto& place : left) {
    RegionInstance* nobody = nullptr;
    if (place.compare_exchange_strong(nobody, region, std::memory_order_release, std::memory_order_relaxed)) return;
  }
  delete region;
}

/// The thread's own goes to others when it ends. By a key and not by a destructor: glibc takes memory for those, and
/// ends the program if it has none.
bool knows_end() {
  static pthread_key_t key = 0;
  static const bool made = pthread_key_create(&key, [](void*) {
                             if (own) leave(std::exchange(own, nullptr));
                           }) == 0;
  return made && pthread_setspecific(key, static_cast<const void*>(&own)) == 0;
}

}  // namespace

RegionInstance* take_region() {
  if (own) return std::exchange(own, nullptr);
  RegionInstance* const region = take_left();
  return region ? region : new RegionInstance;
}

void give_back_region(RegionInstance* region) {
  if (!ends_known) ends_known = knows_end();
  if (own || !ends_known) return leave(region);
  own = region;
}

}  // namespace lbhm::engine
