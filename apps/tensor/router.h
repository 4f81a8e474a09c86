// Entries of a tensor brought to the threads that own them, in the order in which they stood: each thread counts a
// slice of the entries by owner, and when all have counted writes its slice behind those of the threads before it.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/tensor/coo.h"
#include "apps/tensor/hash_table.h"

namespace tensor {

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
