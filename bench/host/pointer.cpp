// Linked structures.
#include <array>
#include <memory>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

struct Item {
  Item* next = nullptr;
  std::uint64_t value = 1;
};

/// One list through all items, in the order given.
std::vector<Item> linked(const std::vector<std::uint32_t>& order) {
  std::vector<Item> items(order.size());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) items[order[i]].next = &items[order[i + 1]];
  return items;
}

std::uint64_t walk(const Item* item) {
  std::uint64_t sum = 0;
  for (; item; item = item->next) sum += item->value;
  return sum;
}

/// The list is shared by the copies of the kernel object: its pointers lead into it.
Kernel list_of(const std::vector<std::uint32_t>& order) {
  return [items = std::make_shared<std::vector<Item>>(linked(order)), first = order[0]] {
    return static_cast<double>(walk(items->data() + first));
  };
}

Kernel list_sorted(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  return list_of(order);
}

Kernel list_random(std::size_t n) { return list_of(permutation(n)); }

struct TreeNode {
  std::uint32_t key;
  std::uint32_t child[2] = {0, 0};  ///< 0: none, for the root is nobody's child
};

std::vector<TreeNode> grown(const std::vector<std::uint32_t>& keys) {
  std::vector<TreeNode> nodes{{.key = keys[0]}};
  for (std::size_t i = 1; i < keys.size(); ++i) {
    std::uint32_t* link = &nodes[0].child[keys[i] > nodes[0].key];
    while (*link != 0) link = &nodes[*link].child[keys[i] > nodes[*link].key];
    *link = static_cast<std::uint32_t>(i);
    nodes.push_back({.key = keys[i]});
  }
  return nodes;
}

std::size_t depth_of(const TreeNode* nodes, std::uint32_t key) {
  std::size_t depth = 1;
  for (std::uint32_t node = 0; nodes[node].key != key; ++depth) node = nodes[node].child[key > nodes[node].key];
  return depth;
}

/// Looks up every fourth key of a binary tree that grew in random order.
Kernel tree_search(std::size_t n) {
  return [nodes = grown(permutation(n)), wanted = random_below(n / 4, n)] {
    std::size_t sum = 0;
    for (const std::uint32_t key : wanted) sum += depth_of(nodes.data(), key);
    return static_cast<double>(sum);
  };
}

constexpr int levels = 16;

struct SkipNode {
  std::uint32_t key;
  std::array<std::uint32_t, levels> next{};  ///< 0: end, for nothing precedes the head
};

/// Node 0 is the head. Node k + 1 of key order lies at a random place, and half of each level reaches the next one.
std::vector<SkipNode> skip_list_of(std::size_t n) {
  Random random;
  const std::vector<std::uint32_t> place = permutation(n);
  std::vector<SkipNode> nodes(n + 1);
  std::array<std::uint32_t, levels> last{};
  for (std::uint32_t key = 1; key <= n; ++key) {
    const std::uint32_t node = place[key - 1] + 1;
    nodes[node].key = key;
    for (int level = 0; level < levels && (level == 0 || (random.next() >> 63) != 0); ++level) {
      const auto l = static_cast<std::size_t>(level);
      nodes[last[l]].next[l] = node;
      last[l] = node;
    }
  }
  return nodes;
}

std::uint32_t at_least(const SkipNode* nodes, std::uint32_t key) {
  std::uint32_t node = 0;
  for (std::size_t level = levels; level-- > 0;) {
    std::uint32_t next = nodes[node].next[level];
    while (next != 0 && nodes[next].key < key) {
      node = next;
      next = nodes[node].next[level];
    }
  }
  return nodes[nodes[node].next[0]].key;
}

Kernel skip_list(std::size_t n) {
  return [nodes = skip_list_of(n), wanted = random_below(n / 4, n)] {
    double sum = 0;
    for (const std::uint32_t key : wanted) sum += at_least(nodes.data(), key + 1);
    return sum;
  };
}

constexpr Entry entries[] = {{"list-sorted", list_sorted, Threads::copies, 4'000'000, 30, 10'000},
                             {"list-random", list_random, Threads::copies, 4'000'000, 1, 8'000},
                             {"tree-search", tree_search, Threads::copies, 1'000'000, 1, 16'000},
                             {"skip-list", skip_list, Threads::copies, 200'000, 4, 4'000}};

}  // namespace

std::span<const Entry> pointer_kernels() { return entries; }

}  // namespace host
