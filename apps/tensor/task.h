// How a contraction is divided over the threads: parts of X, and what each thread works on.
#pragma once

#include <omp.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"

namespace tensor {

// How the sub-tensors of X are divided over the threads, and how much memory each part will need at most.

/// What one thread will work on. A sub-tensor of X: all entries with the same free indices.
struct Part {
  Key first_free = 0;  ///< smallest free key of X that belongs here; the next part's is the end
  std::size_t subtensors = 0;
  std::size_t x_nonzeros = 0;
  std::size_t y_nonzeros = 0;  ///< of the buckets of HtY that this thread fills
  std::size_t y_keys = 0;      ///< different contracted keys among them
  std::uint64_t products = 0;  ///< multiplications
  std::size_t z_bound = 0;     ///< at most so many non-zeros of Z
  std::size_t row_bound = 0;   ///< at most so many in one sub-tensor of Z
};

/// Consecutive sub-tensors, equally many for each of `count` parts: not equally much work. That is the load imbalance
/// that LB-HM is about.
std::vector<Part> make_parts(const Coo& x, const Coo& y, const Contraction& contraction, std::size_t count);

// What one thread works on, and what all threads share.

/// A row of Z under construction: the sub-tensor of Z with these free indices of X.
struct Row {
  Key free;
  std::size_t end;  ///< of its items in z_local_items
};

/// Sub-tensors of X with consecutive free keys, the accumulator, and the sub-tensors of Z that come out.
struct Task {
  Task(const std::string& number, const Part& part);

  Part part;
  apps::Array<Element> x;            ///< sorted by free, then contracted key
  apps::Array<std::uint32_t> found;  ///< for each element of x its node of HtY, or none
  Accumulator accumulator;           ///< HtA
  apps::Array<Row> z_local_rows;     ///< Z_local: one a sub-tensor
  apps::Array<Item> z_local_items;   ///< Z_local: room for the bound
  apps::Array<Element> z;            ///< free key of X, free key of Y, value: room for the bound
  std::size_t z_nonzeros = 0;
};

/// Y on its way into the hash table, and the table.
struct SharedY {
  SharedY(const Coo& y, std::span<const Task> tasks);

  apps::Array<Element> permuted;         ///< (contracted key, free key), grouped by the owner of the bucket
  std::vector<std::size_t> first_entry;  ///< of each owner, in `permuted` and in the items; one more at the end
  std::vector<std::size_t> first_node;   ///< of each owner, in the nodes
  HashTableY table;
};

std::vector<Task> make_tasks(std::span<const Part> parts);

/// All objects of a contraction: always the same number in the same order for the same number of tasks.
std::vector<const apps::Block*> objects_of(const Coo& x, const Coo& y, const SharedY& shared,
                                           std::span<const Task> tasks);

// The tasks of a region, a thread each.

/// Inside a parallel region: calls `work(number)` for the tasks of this thread. A thread has one task, its own, unless
/// the OpenMP runtime grants fewer threads than there are tasks.
template <class Work>
void for_own_tasks(std::size_t tasks, Work work) {
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  for (auto i = static_cast<std::size_t>(omp_get_thread_num()); i < tasks; i += team) work(i);
}

}  // namespace tensor
