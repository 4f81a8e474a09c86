#include "apps/tensor/input_processing.h"

#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/tensor/router.h"
#include "apps/tensor/team.h"

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

}  // namespace tensor
