#include "runtime/phases/region_instance.h"

#include <pthread.h>

#include <array>
#include <utility>

namespace lbhm {
namespace {

/// What is there, or a new one; of two that come at once one wins.
template <class T>
T* made(std::atomic<T*>& place) {
  if (T* const found = place.load(std::memory_order_acquire)) return found;
  auto fresh = std::make_unique<T>();
  T* expected = nullptr;
  return place.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel) ? fresh.release() : expected;
}

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

struct LaneStates::Block {
  std::array<LaneState, block_lanes> lanes;
};
struct LaneStates::Others {
  std::array<std::atomic<Block*>, most_blocks - 1> blocks{};
};

LaneStates::LaneStates() = default;

LaneStates::~LaneStates() {
  const std::unique_ptr<Others> others(others_.load(std::memory_order_relaxed));
  if (!others) return;
  for (std::atomic<Block*>& each : others->blocks) delete each.load(std::memory_order_relaxed);
}

void LaneStates::make_first_block() { first_ = std::make_unique<Block>(); }

LaneState* LaneStates::make(std::uint32_t lane) {
  if (lane >= most_lanes) return nullptr;
  if (lane >= block_lanes) return &made(made(others_)->blocks[lane / block_lanes - 1])->lanes[lane % block_lanes];
  return &first_->lanes[lane];
}

LaneState* LaneStates::find(std::uint32_t lane) const {
  if (lane < block_lanes) return first_ ? &first_->lanes[lane] : nullptr;
  const Others* const others = lane < most_lanes ? others_.load(std::memory_order_acquire) : nullptr;
  Block* const block = others ? others->blocks[lane / block_lanes - 1].load(std::memory_order_acquire) : nullptr;
  return block ? &block->lanes[lane % block_lanes] : nullptr;
}

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

}  // namespace lbhm
