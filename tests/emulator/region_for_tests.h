// A parallel region for the emulated machine, without OpenMP.
#pragma once

#include <barrier>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "emulator/emulator.h"

namespace lbhm::emulator {

/// One parallel region as libomp plays it: threads that begin lanes, work, and join.
class Region {
 public:
  Region(EmulatedMachine& machine, std::uint32_t size) : machine_(machine), size_(size), barrier_(size) {}

  void run(const std::function<void(std::uint32_t lane)>& body) {
    Execution& execution = machine_.execution();
    team_ = execution.fork();
    const auto lane = [&](std::uint32_t number) {
      execution.lane_begin(team_, LaneId(number), size_);
      body(number);
      execution.wait_begin(Wait::join, nullptr);
      barrier_.arrive_and_wait();
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < size_; ++i) threads.emplace_back(lane, i);
    lane(0);
    execution.wait_end(Wait::join, nullptr);
    execution.join(team_);
    for (std::thread& thread : threads) thread.join();
  }

  std::uint64_t team() const { return team_; }

  /// The program's own barrier.
  void barrier() {
    machine_.execution().wait_begin(Wait::barrier, nullptr);
    barrier_.arrive_and_wait();
    machine_.execution().wait_end(Wait::barrier, nullptr);
  }

 private:
  EmulatedMachine& machine_;
  std::uint32_t size_;
  std::uint64_t team_ = 0;
  std::barrier<> barrier_;
};

/// Of the calling lane.
inline double now(Machine& machine) { return machine.execution().now().value; }

}  // namespace lbhm::emulator
