// What a task does in a round, and whether that is right.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/imbalance/imbalance_options.h"
#include "apps/imbalance/task_shapes.h"

namespace imbalance {

/// A task: its memory, in which every word has a value that follows from its place, and what it found there.
struct Task {
  Task(const Shape& its_shape, unsigned number, std::uint64_t seed, unsigned rounds);

  Shape shape;
  std::uint64_t salt;                ///< of the values and of the loads
  apps::Array<std::uint64_t> words;  ///< not written yet
  std::vector<std::uint64_t> found;  ///< by round: depends on every word that was loaded
};

/// Tasks of these shapes. The initial thread writes a page of each in turn, so that they appear as if every thread
/// wrote its own memory: first touch gives all tasks equally much fast memory. (Lanes that write in a pause take no
/// time, so the first lane would be given all of it.)
std::vector<Task> make_tasks(std::span<const Shape> shapes, const Options& options);

/// All objects: one a task.
std::vector<const apps::Block*> objects_of(std::span<const Task> tasks);

/// Executes rounds [first, last) in one parallel region, with barriers between them. A thread has every so many-th
/// task.
void run_rounds(std::span<Task> tasks, unsigned first, unsigned last, unsigned threads);

/// What the task has to find in a round, computed from the places alone.
std::uint64_t expected(const Task& task, unsigned round);

}  // namespace imbalance
