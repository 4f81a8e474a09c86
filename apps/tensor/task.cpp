#include "apps/tensor/task.h"

namespace tensor {
namespace {

/// The sum of `count(part)` over the tasks before each, and over all at the end.
template <class Count>
std::vector<std::size_t> positions(std::span<const Task> tasks, Count count) {
  std::vector<std::size_t> result{0};
  for (const Task& task : tasks) result.push_back(result.back() + count(task.part));
  return result;
}

}  // namespace

Task::Task(const std::string& number, const Part& given)
    : part(given),
      x("X" + number, part.x_nonzeros),
      found("found" + number, part.x_nonzeros),
      accumulator("HtA" + number, part.row_bound),
      z_local_rows("Z_local" + number + ".rows", part.subtensors),
      z_local_items("Z_local" + number + ".items", part.z_bound),
      z("Z" + number, part.z_bound) {}

SharedY::SharedY(const Coo& y, std::span<const Task> tasks)
    : permuted("Y.permuted", y.nonzeros()),
      first_entry(positions(tasks, [](const Part& part) { return part.y_nonzeros; })),
      first_node(positions(tasks, [](const Part& part) { return part.y_keys; })),
      table(y.nonzeros(), first_node.back()) {}

std::vector<Task> make_tasks(std::span<const Part> parts) {
  std::vector<Task> tasks;
  tasks.reserve(parts.size());
  for (const Part& part : parts) tasks.emplace_back("[" + std::to_string(tasks.size()) + "]", part);
  return tasks;
}

std::vector<const apps::Block*> objects_of(const Coo& x, const Coo& y, const SharedY& shared,
                                           std::span<const Task> tasks) {
  std::vector<const apps::Block*> objects{&x.coordinates,      &x.values,          &y.coordinates,
                                          &y.values,           &shared.permuted,   &shared.table.heads,
                                          &shared.table.nodes, &shared.table.items};
  for (const Task& task : tasks) {
    objects.insert(objects.end(), {&task.x, &task.found, &task.accumulator.slots, &task.accumulator.touched,
                                   &task.z_local_rows, &task.z_local_items, &task.z});
  }
  return objects;
}

}  // namespace tensor
