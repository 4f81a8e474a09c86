// Contracted indices as numbers, and the hash tables that are searched by them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/tensor/coo.h"

namespace tensor {

/// Several indices as one number, the first of them most significant.
using Key = std::uint64_t;

// Which modes are contracted, and how several indices become one number: Sparta's "large-number" representation (LN),
// section 3.2 of the paper named in contraction_phases.h.

inline constexpr Key no_key = ~Key{0};

/// Numbers, from 0, of the modes of X and Y over which is summed: x[i] goes with y[i].
struct ContractModes {
  std::vector<unsigned> x;
  std::vector<unsigned> y;
};

/// From the coordinates of an entry to the key of some of its modes.
class KeyOf {
 public:
  /// `extents[i]` indices in mode `modes[i]`. Throws InputError if not all keys fit into 63 bits.
  KeyOf(std::span<const unsigned> modes, std::span<const Index> extents);

  Key operator()(const Index* coordinates) const {
    Key key = 0;
    for (unsigned i = 0; i < count_; ++i) key = key * extents_[i] + coordinates[modes_[i]];
    return key;
  }

 private:
  unsigned count_;
  unsigned modes_[max_order] = {};
  Key extents_[max_order] = {};
};

/// Z = sum of X * Y over the contracted modes; the modes of Z are the free ones of X, then the free ones of Y.
struct Contraction {
  KeyOf x_free;
  KeyOf x_contract;
  KeyOf y_contract;
  KeyOf y_free;
};

/// Throws InputError if the modes do not fit the tensors: a mode that is not there, or twice, or not equally many.
Contraction make_contraction(std::span<const Index> x_shape, std::span<const Index> y_shape,
                             const ContractModes& modes);

// The two hash tables of Sparta: HtY, the whole of Y by its contracted indices, and HtA, a thread's accumulator.

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

// Entries of a tensor brought to the threads that own them, in the order in which they stood: each thread counts a
// slice of the entries by owner, and when all have counted writes its slice behind those of the threads before it.

class Router {
 public:
  explicit Router(std::size_t threads) : threads_(threads), counts_(threads * threads, 0) {}

  /// Step 1, for each `slice` of all threads: `owner(coordinates)` is a number below `threads`.
  template <class Owner>
  void count(const Coo& tensor, std::size_t slice, Owner owner) {
    std::vector<std::size_t> counts(threads_, 0);
    for (std::size_t i = begin(tensor, slice); i < begin(tensor, slice + 1); ++i) ++counts[owner(tensor.at(i))];
    for (std::size_t to = 0; to < threads_; ++to) counts_[slice * threads_ + to] = counts[to];
  }

  /// Step 2, when all slices are counted: `target(owner)` is where the owner's elements begin, `element(coordinates,
  /// value)` what is written.
  template <class Owner, class Target, class MakeElement>
  void scatter(const Coo& tensor, std::size_t slice, Owner owner, Target target, MakeElement element) const {
    std::vector<Element*> next(threads_);
    for (std::size_t to = 0; to < threads_; ++to) {
      next[to] = target(to);
      for (std::size_t before = 0; before < slice; ++before) next[to] += counts_[before * threads_ + to];
    }
    for (std::size_t i = begin(tensor, slice); i < begin(tensor, slice + 1); ++i) {
      const Index* const coordinates = tensor.at(i);
      *next[owner(coordinates)]++ = element(coordinates, tensor.values.data()[i]);
    }
  }

 private:
  std::size_t begin(const Coo& tensor, std::size_t slice) const { return tensor.nonzeros() * slice / threads_; }

  std::size_t threads_;
  std::vector<std::size_t> counts_;  ///< [slice][owner]
};

}  // namespace tensor
