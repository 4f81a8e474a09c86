#include "apps/tensor/contract.h"

#include <algorithm>

#include "apps/tensor/input_processing.h"
#include "apps/tensor/team.h"

namespace tensor {
namespace {

/// For every entry of X the entries of Y with the same contracted indices.
void search(Task& task, const HashTableY& y) {
  for (std::size_t i = 0; i < task.x.size(); ++i) task.found.data()[i] = y.find(task.x.data()[i].minor);
}

/// Products are added up in HtA, a sub-tensor of Z at a time, which then goes to Z_local.
void add_products(Task& task, const HashTableY& y) {
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

/// Z_local becomes part of Z, every non-zero with all of its indices.
void copy_to_z(Task& task) {
  std::size_t i = 0;
  for (const Row& row : task.z_local_rows) {
    for (; i < row.end; ++i) {
      const Item& item = task.z_local_items.data()[i];
      task.z.data()[i] = {row.free, item.free, item.value};
    }
  }
}

void sort(Task& task) {
  std::sort(task.z.data(), task.z.data() + task.z_nonzeros, [](const Element& a, const Element& b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
  });
}

// The phases: a region each.

void index_search(std::span<Task> tasks, const HashTableY& y) {
#pragma omp parallel num_threads(static_cast<int>(tasks.size()))
  for_own_tasks(tasks.size(), [&](std::size_t i) { search(tasks[i], y); });
}

void accumulation(std::span<Task> tasks, const HashTableY& y) {
#pragma omp parallel num_threads(static_cast<int>(tasks.size()))
  for_own_tasks(tasks.size(), [&](std::size_t i) { add_products(tasks[i], y); });
}

void writeback(std::span<Task> tasks) {
#pragma omp parallel num_threads(static_cast<int>(tasks.size()))
  for_own_tasks(tasks.size(), [&](std::size_t i) { copy_to_z(tasks[i]); });
}

void output_sorting(std::span<Task> tasks) {
#pragma omp parallel num_threads(static_cast<int>(tasks.size()))
  for_own_tasks(tasks.size(), [&](std::size_t i) { sort(tasks[i]); });
}

}  // namespace

void contract(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared, std::span<Task> tasks) {
  input_processing(x, y, contraction, shared, tasks);
  index_search(tasks, shared.table);
  accumulation(tasks, shared.table);
  writeback(tasks);
  output_sorting(tasks);
}

}  // namespace tensor
