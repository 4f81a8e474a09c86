#include "apps/tensor/contract.h"

#include <omp.h>

#include <algorithm>

#include "apps/tensor/input_processing.h"
#include "apps/tensor/team.h"

namespace tensor {
namespace {

/// Index Search: for every entry of X the entries of Y with the same contracted indices.
void search_indices(Task& task, const HashTableY& y) {
  for (std::size_t i = 0; i < task.x.size(); ++i) task.found.data()[i] = y.find(task.x.data()[i].minor);
}

/// Accumulation: products are added up in HtA, a sub-tensor of Z at a time, which then goes to Z_local.
void accumulate(Task& task, const HashTableY& y) {
  task.accumulator.clear();
  const Element* const x = task.x.data();
  std::size_t row = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < task.x.size();) {
    const Key free = x[i].major;
    for (; i < task.x.size() && x[i].major == free; ++i) {
      const std::uint32_t found = task.found.data()[i];
      if (found == none) continue;
      const Node& node = y.nodes.data()[found];
      const double factor = x[i].value;
      const Item* const items = y.items.data() + node.begin;
      for (std::uint32_t j = 0; j < node.count; ++j) task.accumulator.add(items[j].free, factor * items[j].value);
    }
    end += task.accumulator.drain(task.z_local_items.data() + end);
    task.z_local_rows.data()[row++] = {free, end};
  }
  task.z_nonzeros = end;
}

/// Writeback: Z_local becomes part of Z, every non-zero with all of its indices.
void write_back(Task& task) {
  std::size_t i = 0;
  for (const Row& row : task.z_local_rows) {
    for (; i < row.end; ++i) {
      const Item& item = task.z_local_items.data()[i];
      task.z.data()[i] = {row.free, item.free, item.value};
    }
  }
}

/// Output Sorting.
void sort_output(Task& task) {
  std::sort(task.z.data(), task.z.data() + task.z_nonzeros, [](const Element& a, const Element& b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
  });
}

}  // namespace

void contract(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared, std::span<Task> tasks) {
  const int threads = static_cast<int>(tasks.size());
  process_input(x, y, contraction, shared, tasks);
#pragma omp parallel num_threads(threads)
  for_own_tasks(tasks.size(), [&](std::size_t i) { search_indices(tasks[i], shared.table); });
#pragma omp parallel num_threads(threads)
  for_own_tasks(tasks.size(), [&](std::size_t i) { accumulate(tasks[i], shared.table); });
#pragma omp parallel num_threads(threads)
  for_own_tasks(tasks.size(), [&](std::size_t i) { write_back(tasks[i]); });
#pragma omp parallel num_threads(threads)
  for_own_tasks(tasks.size(), [&](std::size_t i) { sort_output(tasks[i]); });
}

}  // namespace tensor
