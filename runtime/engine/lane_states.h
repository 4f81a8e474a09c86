// The states of a region's lanes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace lbhm::engine {

struct LaneState;

/// Blocks of states that come into being when one of their lanes begins: programs ask for 10^8 lanes and get eight.
class LaneStates {
 public:
  static constexpr std::uint32_t block_lanes = 64;
  static constexpr std::uint32_t most_blocks = 1024;
  static constexpr std::uint32_t most_lanes = block_lanes * most_blocks;  ///< libomp has 32768 threads at most

  LaneStates();
  ~LaneStates();
  LaneStates(const LaneStates&) = delete;
  LaneStates& operator=(const LaneStates&) = delete;

  /// The block of the first lanes is there: by the thread that forks, before there are lanes. Throws std::bad_alloc.
  void make_first() {
    if (!first_) make_first_block();
  }
  /// Null beyond most_lanes. Lanes may begin at the same time. Throws std::bad_alloc.
  LaneState* make(std::uint32_t lane);
  /// Null: make was never called for the lane's block.
  LaneState* find(std::uint32_t lane) const;

 private:
  void make_first_block();

  struct Block;

  std::unique_ptr<Block> first_;  ///< what most regions need
  struct Others;
  std::atomic<Others*> others_{nullptr};
};

}  // namespace lbhm::engine
