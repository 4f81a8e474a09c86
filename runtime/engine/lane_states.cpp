#include "runtime/engine/lane_states.h"

#include <array>

#include "runtime/engine/lane_state.h"

namespace lbhm::engine {
namespace {

/// What is there, or a new one; of two that come at once one wins.
template <class T>
T* made(std::atomic<T*>& place) {
  if (T* const found = place.load(std::memory_order_acquire)) return found;
  auto fresh = std::make_unique<T>();
  T* expected = nullptr;
  return place.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel) ? fresh.release() : expected;
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

}  // namespace lbhm::engine
