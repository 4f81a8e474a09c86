// Hash tables: half of the operations insert, half look up.
#include <algorithm>
#include <bit>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

std::size_t slot_of(std::uint64_t key, int bits) { return (key * 0x9e3779b97f4a7c15ull) >> (64 - bits); }

std::vector<std::uint64_t> random_keys(std::size_t count) {
  Random random;
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = random.next() | 1;
  return keys;
}

/// Linear probing; 0 is an empty slot.
class OpenTable {
 public:
  explicit OpenTable(int bits) : bits_(bits), slots_(std::size_t{1} << bits) {}
  void clear() { std::fill(slots_.begin(), slots_.end(), 0); }
  void insert(std::uint64_t key) { slots_[find(key)] = key; }
  bool contains(std::uint64_t key) const { return slots_[find(key)] == key; }

 private:
  std::size_t find(std::uint64_t key) const {
    std::size_t slot = slot_of(key, bits_);
    while (slots_[slot] != 0 && slots_[slot] != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  int bits_;
  std::vector<std::uint64_t> slots_;
};

/// Two slots a key. Half of the keys that are looked up are absent.
Kernel hash_open(std::size_t n) {
  return [n, keys = random_keys(2 * n), table = OpenTable(static_cast<int>(std::bit_width(2 * n - 1)))]() mutable {
    table.clear();
    for (std::size_t i = 0; i < n; ++i) table.insert(keys[i]);
    std::size_t found = 0;
    for (std::size_t i = n / 2; i < n + n / 2; ++i) found += table.contains(keys[i]);
    return static_cast<double>(found);
  };
}

constexpr std::uint32_t none = ~0u;

/// Chains through an array of nodes.
class ChainedTable {
 public:
  ChainedTable(int bits, std::size_t nodes) : bits_(bits), heads_(std::size_t{1} << bits) { nodes_.reserve(nodes); }
  void clear() {
    std::fill(heads_.begin(), heads_.end(), none);
    nodes_.clear();
  }
  void insert(std::uint64_t key) {
    std::uint32_t& head = heads_[slot_of(key, bits_)];
    nodes_.push_back({.key = key, .next = head});
    head = static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  bool contains(std::uint64_t key) const {
    std::uint32_t node = heads_[slot_of(key, bits_)];
    while (node != none && nodes_[node].key != key) node = nodes_[node].next;
    return node != none;
  }

 private:
  struct Node {
    std::uint64_t key;
    std::uint32_t next;
  };
  int bits_;
  std::vector<std::uint32_t> heads_;
  std::vector<Node> nodes_;
};

/// Two keys a chain.
Kernel hash_chained(std::size_t n) {
  return [n, keys = random_keys(2 * n), table = ChainedTable(static_cast<int>(std::bit_width(n / 2)), n)]() mutable {
    table.clear();
    for (std::size_t i = 0; i < n; ++i) table.insert(keys[i]);
    std::size_t found = 0;
    for (std::size_t i = n / 2; i < n + n / 2; ++i) found += table.contains(keys[i]);
    return static_cast<double>(found);
  };
}

constexpr Entry entries[] = {{"hash-open", hash_open, Threads::copies, 1'000'000, 5, 8'000},
                             {"hash-chained", hash_chained, Threads::copies, 1'000'000, 3, 8'000}};

}  // namespace

std::span<const Entry> hash_kernels() { return entries; }

}  // namespace host
