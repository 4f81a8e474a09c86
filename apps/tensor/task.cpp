#include "apps/tensor/task.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "apps/tensor/contraction.h"

namespace tensor {
namespace {

using KeyPair = std::pair<Key, Key>;

std::vector<KeyPair> sorted_pairs(const Coo& tensor, const KeyOf& first, const KeyOf& second) {
  std::vector<KeyPair> pairs;
  pairs.reserve(tensor.nonzeros());
  for (std::size_t i = 0; i < tensor.nonzeros(); ++i) pairs.emplace_back(first(tensor.at(i)), second(tensor.at(i)));
  std::ranges::sort(pairs);
  return pairs;
}

std::size_t count_different(std::vector<Key> keys) {
  std::ranges::sort(keys);
  return static_cast<std::size_t>(std::ranges::unique(keys).begin() - keys.begin());
}

/// Y's side: who fills what of HtY.
void count_y(const std::unordered_map<Key, std::size_t>& lengths, std::vector<Part>& parts) {
  const std::size_t buckets = buckets_for(lengths.size());
  for (const auto& [key, length] : lengths) {
    Part& part = parts[owner_of(key, buckets, parts.size())];
    ++part.y_keys;
    part.y_nonzeros += length;
  }
}

/// Elements of X with equal free indices.
struct Subtensor {
  Key free;
  std::size_t nonzeros;
  std::uint64_t products;
};

/// The sum of `count(part)` over the tasks before each, and over all at the end.
template <class Count>
std::vector<std::size_t> positions(std::span<const Task> tasks, Count count) {
  std::vector<std::size_t> result{0};
  for (const Task& task : tasks) result.push_back(result.back() + count(task.part));
  return result;
}

}  // namespace

std::vector<Part> make_parts(const Coo& x, const Coo& y, const Contraction& contraction, std::size_t count) {
  std::vector<Part> parts(count);
  std::unordered_map<Key, std::size_t> lengths;
  std::vector<Key> y_free;
  for (std::size_t i = 0; i < y.nonzeros(); ++i) {
    ++lengths[contraction.y_contract(y.at(i))];
    y_free.push_back(contraction.y_free(y.at(i)));
  }
  count_y(lengths, parts);
  const std::uint64_t y_different = count_different(std::move(y_free));
  std::vector<Subtensor> subtensors;
  for (const auto& [free, contracted] : sorted_pairs(x, contraction.x_free, contraction.x_contract)) {
    if (subtensors.empty() || subtensors.back().free != free) subtensors.push_back({free, 0, 0});
    const auto found = lengths.find(contracted);
    ++subtensors.back().nonzeros;
    subtensors.back().products += found == lengths.end() ? 0 : found->second;
  }
  const auto boundary = [&](std::size_t number) { return subtensors.size() * number / count; };
  for (std::size_t number = 0; number < count; ++number) {
    Part& part = parts[number];
    // A part without sub-tensors begins where the next one begins, or behind all keys.
    if (number > 0) {
      part.first_free = boundary(number) < subtensors.size() ? subtensors[boundary(number)].free : no_key;
    }
    for (std::size_t i = boundary(number); i < boundary(number + 1); ++i) {
      const std::size_t bound = std::min(subtensors[i].products, y_different);
      ++part.subtensors;
      part.x_nonzeros += subtensors[i].nonzeros;
      part.products += subtensors[i].products;
      part.z_bound += bound;
      part.row_bound = std::max(part.row_bound, bound);
    }
  }
  return parts;
}

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
