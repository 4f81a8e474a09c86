// Memory of the tasks that one lane makes, and how the locks of explicit tasks and of ordered loops are held.
//
// The program's code reads and writes that memory, so its addresses (but for the page) must not depend on real time: a
// block that another lane freed comes back when its owner has its turn, never in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/own_memory/inside.h"

namespace lbhm::tasks {

/// A handler of a signal that interrupts the holder sees that it is inside of LB-HM, and waits for nobody.
class Guard {
 public:
  explicit Guard(std::mutex& lock) : lock_(lock) {}

 private:
  Inside here_;
  std::lock_guard<std::mutex> lock_;
};

/// Pools over mappings of their own, apart from the program's heap; safe from any thread; never destroyed. In a child
/// made by fork(2) another thread may have had their lock: there is nothing to get then, and nothing comes back.
///
/// Where the system has no memory left, what is under way is finished with a reserve; only behind it std::bad_alloc.
std::pmr::memory_resource& private_memory();
/// True once the system had no memory: new tasks are executed at once from then on.
bool memory_is_short();

class LaneMemory {
 public:
  /// By the owner only.
  void* allocate(std::size_t bytes) { return pool_.allocate(rounded(bytes), alignment); }
  /// By any lane that has its turn, one at a time.
  void give_back(void* block, std::size_t bytes) noexcept;
  /// By the owner when it has its turn.
  void reclaim();

  /// Of the lane with this number in the teams of the program's own thread `root` (0: the first); lives as long as that
  /// thread.
  static LaneMemory& of(std::uint64_t root, std::uint64_t lane);
  /// The thread ends, outside of teams.
  static void forget(std::uint64_t root);

 private:
  static constexpr std::size_t alignment = 64;
  static std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }

  std::pmr::unsynchronized_pool_resource pool_{&private_memory()};
  std::pmr::vector<std::pair<void*, std::size_t>> returned_{&private_memory()};
};

}  // namespace lbhm::tasks
