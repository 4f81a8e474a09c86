#include "apps/tensor/contraction_phases.h"

#include <omp.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/tensor/contraction.h"
#include "apps/tensor/task.h"

namespace tensor {
namespace {

/// The task with the sub-tensor: the last one that does not begin behind it.
class OwnerOfSubtensor {
 public:
  OwnerOfSubtensor(const KeyOf& key, std::span<const Task> tasks) : key_(key) {
    for (const Task& task : tasks) first_.push_back(task.part.first_free);
  }
  std::size_t operator()(const Index* coordinates) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_, key_(coordinates)) - first_.begin()) - 1;
  }

 private:
  const KeyOf& key_;
  std::vector<Key> first_;
};

void sort_x(Task& task) {
  std::ranges::sort(task.x, [](const Element& a, const Element& b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
  });
}

/// The node of the key, a new one in front of its chain if there is none; `end` is the owner's first unused node.
std::uint32_t find_or_insert(HashTableY& table, Key key, std::uint32_t& end) {
  const std::uint32_t node = table.find(key);
  if (node != none) return node;
  std::uint32_t& head = table.heads.data()[bucket_of(key, table.heads.size())];
  table.nodes.data()[end] = {.key = key, .begin = 0, .count = 0, .next = std::exchange(head, end)};
  return end++;
}

/// Fills the owner's buckets, nodes and items: counts the items of each key, then puts them where they belong.
void fill_table(SharedY& shared, std::size_t owner, std::size_t owners) {
  HashTableY& table = shared.table;
  const std::size_t buckets = table.heads.size();
  // The owner's buckets are those with bucket * owners / buckets == owner.
  const auto first_bucket = [&](std::size_t number) { return (buckets * number + owners - 1) / owners; };
  std::fill(table.heads.begin() + first_bucket(owner), table.heads.begin() + first_bucket(owner + 1), none);

  const std::span<const Element> entries(shared.permuted.data() + shared.first_entry[owner],
                                         shared.permuted.data() + shared.first_entry[owner + 1]);
  const auto begin = static_cast<std::uint32_t>(shared.first_node[owner]);
  std::uint32_t end = begin;
  Node* const nodes = table.nodes.data();
  for (const Element& entry : entries) ++nodes[find_or_insert(table, entry.major, end)].count;

  auto position = static_cast<std::uint32_t>(shared.first_entry[owner]);
  for (std::uint32_t i = begin; i < end; ++i) {
    nodes[i].begin = position;
    position += std::exchange(nodes[i].count, 0);
  }
  for (const Element& entry : entries) {
    Node& node = nodes[table.find(entry.major)];
    table.items.data()[node.begin + node.count++] = {entry.minor, entry.value};
  }
}

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

/// A sum, and the same of the absolute values.
struct Sum {
  double value = 0;
  double scale = 0;
  void add(double factor, const Sum& other) {
    value += factor * other.value;
    scale += std::fabs(factor) * other.scale;
  }
};
using Sums = std::unordered_map<Key, Sum>;

/// The random number from [-1, 1) that belongs to a key.
Sum random_of(Key key, std::uint64_t seed) {
  const double number = static_cast<double>(apps::mix(apps::mix(key) ^ apps::mix(seed + 1)) >> 11) * 0x1p-52 - 1;
  return {.value = number, .scale = std::fabs(number)};
}

Sums expected_sums(const Coo& x, const Coo& y, const Contraction& contraction, std::uint64_t seed) {
  Sums middle;
  for (std::size_t i = 0; i < y.nonzeros(); ++i) {
    middle[contraction.y_contract(y.at(i))].add(y.values.data()[i], random_of(contraction.y_free(y.at(i)), seed));
  }
  Sums result;
  for (std::size_t i = 0; i < x.nonzeros(); ++i) {
    const auto found = middle.find(contraction.x_contract(x.at(i)));
    if (found != middle.end()) result[contraction.x_free(x.at(i))].add(x.values.data()[i], found->second);
  }
  return result;
}

std::span<const Element> nonzeros_of(const Task& task) { return {task.z.data(), task.z_nonzeros}; }

double relative(double difference, double scale) {
  if (difference == 0) return 0;
  const double result = difference / scale;
  // NaN counts as wrong.
  return std::isnan(result) ? std::numeric_limits<double>::infinity() : result;
}

}  // namespace

void input_processing(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared,
                      std::span<Task> tasks) {
  const std::size_t count = tasks.size();
  const OwnerOfSubtensor owner_x(contraction.x_free, tasks);
  const auto owner_y = [&](const Index* coordinates) {
    return owner_of(contraction.y_contract(coordinates), shared.table.heads.size(), count);
  };
  const auto target_x = [&](std::size_t owner) { return tasks[owner].x.data(); };
  const auto target_y = [&](std::size_t owner) { return shared.permuted.data() + shared.first_entry[owner]; };
  const auto element_x = [&](const Index* coordinates, double value) {
    return Element{contraction.x_free(coordinates), contraction.x_contract(coordinates), value};
  };
  const auto element_y = [&](const Index* coordinates, double value) {
    return Element{contraction.y_contract(coordinates), contraction.y_free(coordinates), value};
  };
  Router route_x(count);
  Router route_y(count);
#pragma omp parallel num_threads(static_cast<int>(count))
  {
    for_own_tasks(count, [&](std::size_t i) {
      route_x.count(x, i, owner_x);
      route_y.count(y, i, owner_y);
    });
#pragma omp barrier
    for_own_tasks(count, [&](std::size_t i) {
      route_x.scatter(x, i, owner_x, target_x, element_x);
      route_y.scatter(y, i, owner_y, target_y, element_y);
    });
#pragma omp barrier
    for_own_tasks(count, [&](std::size_t i) {
      sort_x(tasks[i]);
      fill_table(shared, i, count);
    });
  }
}

void contract(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared, std::span<Task> tasks) {
  input_processing(x, y, contraction, shared, tasks);
  index_search(tasks, shared.table);
  accumulation(tasks, shared.table);
  writeback(tasks);
  output_sorting(tasks);
}

double largest_difference(const Coo& x, const Coo& y, const Contraction& contraction, std::span<const Task> tasks,
                          std::uint64_t seed) {
  const Sums expected = expected_sums(x, y, contraction, seed);
  Sums found;
  for (const Task& task : tasks) {
    for (const Element& entry : nonzeros_of(task)) found[entry.major].add(entry.value, random_of(entry.minor, seed));
  }
  double largest = 0;
  for (const auto& [key, sum] : expected) {
    const double difference = std::fabs(found[key].value - sum.value);
    largest = std::max(largest, relative(difference, sum.scale));
  }
  // What is found and not expected has nothing to be compared with.
  return found.size() > expected.size() ? std::numeric_limits<double>::infinity() : largest;
}

bool is_sorted(std::span<const Task> tasks) {
  const Element* before = nullptr;
  for (const Task& task : tasks) {
    for (const Element& entry : nonzeros_of(task)) {
      const bool ascending = before == nullptr || before->major < entry.major ||
                             (before->major == entry.major && before->minor < entry.minor);
      if (!ascending) return false;
      before = &entry;
    }
  }
  return true;
}

std::uint64_t checksum(std::span<const Task> tasks) {
  std::uint64_t sum = 0;
  for (const Task& task : tasks) {
    for (const Element& entry : nonzeros_of(task)) {
      const std::uint64_t place = apps::mix(apps::mix(entry.major + 1) + entry.minor);
      sum += apps::mix(place ^ std::bit_cast<std::uint64_t>(entry.value));
    }
  }
  return sum;
}

}  // namespace tensor
