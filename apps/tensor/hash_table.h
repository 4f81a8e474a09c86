// The two hash tables of Sparta: HtY, the whole of Y by its contracted indices, and HtA, a thread's accumulator.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/common/checksum.h"
#include "apps/common/memory.h"
#include "apps/tensor/contraction.h"

namespace tensor {

/// An entry on its way: for X sorted by (free, contracted) key, for Y grouped by (contracted, free) key; also one of Z.
struct Element {
  Key major;
  Key minor;
  double value;
};

/// An entry of Y, or of a sub-tensor of Z: what is left to know once the other half of its indices is given.
struct Item {
  Key free;
  double value;
};

inline constexpr std::uint32_t none = 0xffffffff;

/// All entries of Y that have their contracted indices in common: `count` items from `begin`.
struct Node {
  Key key;
  std::uint32_t begin;
  std::uint32_t count;
  std::uint32_t next;  ///< in the chain of this bucket
};

inline std::size_t buckets_for(std::size_t keys) { return std::bit_ceil(std::max<std::size_t>(keys, 1)); }
/// `buckets` is a power of two.
inline std::size_t bucket_of(Key key, std::size_t buckets) { return apps::mix(key) & (buckets - 1); }
/// Which of `owners` fills the key's bucket: consecutive buckets, equally many for each.
inline std::size_t owner_of(Key key, std::size_t buckets, std::size_t owners) {
  return bucket_of(key, buckets) * owners / buckets;
}

/// HtY: chains of nodes, shared by all threads. A range of buckets is filled by one thread, its owner, in the order of
/// Y's entries: so its contents do not depend on timing, and no lock is needed (Sparta locks buckets).
struct HashTableY {
  /// Room for so many entries and different keys.
  HashTableY(std::size_t entries, std::size_t keys);

  std::uint32_t find(Key key) const {
    std::uint32_t node = heads.data()[bucket_of(key, heads.size())];
    while (node != none && nodes.data()[node].key != key) node = nodes.data()[node].next;
    return node;
  }

  apps::Array<std::uint32_t> heads;  ///< one a bucket; their number is a power of two, buckets_for(keys)
  apps::Array<Node> nodes;
  apps::Array<Item> items;
};

/// HtA: one sub-tensor of Z under construction, by linear probing.
class Accumulator {
 public:
  /// Room for so many different keys.
  Accumulator(const std::string& name, std::size_t keys);

  /// Before its first use, by its thread.
  void clear();
  void add(Key key, double value) {
    const std::size_t mask = slots.size() - 1;
    std::size_t at = apps::mix(key) & mask;
    while (slots.data()[at].free != key) {
      if (slots.data()[at].free == no_key) {
        slots.data()[at] = {key, value};
        touched.data()[size_++] = static_cast<std::uint32_t>(at);
        return;
      }
      at = (at + 1) & mask;
    }
    slots.data()[at].value += value;
  }
  /// Writes what there is, in the order in which keys came up, and is empty again. Returns how many there were.
  std::size_t drain(Item* to);

  apps::Array<Item> slots;
  apps::Array<std::uint32_t> touched;

 private:
  std::size_t size_ = 0;
};

}  // namespace tensor
