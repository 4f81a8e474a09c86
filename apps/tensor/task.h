// What one thread works on, and what all threads share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/memory.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/hash_table.h"
#include "apps/tensor/partition.h"

namespace tensor {

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

}  // namespace tensor
