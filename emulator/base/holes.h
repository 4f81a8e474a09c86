// Stretches of addresses that are free.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "emulator/base/private_memory.h"

namespace lbhm::emulator {

/// Holes by address, and by size, so that a search does not go through all of them. Not safe against concurrent calls.
class Holes {
 public:
  /// Neighbours become one.
  void add(std::uintptr_t first, std::uintptr_t last) {
    const auto next = by_address_.find(last);
    if (next != by_address_.end()) {
      last = next->second;
      erase(next);
    }
    const auto after = by_address_.lower_bound(first);
    if (after != by_address_.begin() && std::prev(after)->second == first) {
      first = std::prev(after)->first;
      erase(std::prev(after));
    }
    insert(first, last);
  }

  /// The first address of the lowest hole that is large enough, which is then a hole no more; 0 if there is none.
  std::uintptr_t take(std::size_t bytes, std::size_t alignment) {
    const auto hole = alignment <= page ? lowest(bytes) : lowest_aligned(bytes, alignment);
    if (hole == by_address_.end()) return 0;
    const auto [first, last] = *hole;
    const std::uintptr_t place = aligned(first, alignment);
    erase(hole);
    if (first < place) insert(first, place);
    if (place + bytes < last) insert(place + bytes, last);
    return place;
  }

  auto begin() const { return by_address_.begin(); }
  auto end() const { return by_address_.end(); }

 private:
  using ByAddress = PrivateMap<std::uintptr_t, std::uintptr_t>;  // first -> last
  static constexpr std::size_t page = 4096;                      // holes begin at pages

  static std::uintptr_t aligned(std::uintptr_t first, std::size_t to) { return (first + to - 1) & ~(to - 1); }

  /// Cost: O(different sizes).
  ByAddress::iterator lowest(std::size_t bytes) {
    std::uintptr_t found = UINTPTR_MAX;
    for (auto of_size = by_size_.lower_bound(bytes); of_size != by_size_.end(); ++of_size)
      found = std::min(found, of_size->second.begin()->first);
    return by_address_.find(found);
  }

  ByAddress::iterator lowest_aligned(std::size_t bytes, std::size_t alignment) {
    return std::find_if(by_address_.begin(), by_address_.end(), [&](const auto& hole) {
      const auto& [first, last] = hole;
      const std::uintptr_t place = aligned(first, alignment);
      return place >= first && place <= last && last - place >= bytes;
    });
  }

  void insert(std::uintptr_t first, std::uintptr_t last) {
    by_address_[first] = last;
    by_size_[last - first][first] = true;
  }
  void erase(ByAddress::iterator hole) {
    const auto [first, last] = *hole;
    const auto of_size = by_size_.find(last - first);
    of_size->second.erase(first);
    if (of_size->second.empty()) by_size_.erase(of_size);
    by_address_.erase(hole);
  }

  ByAddress by_address_;
  PrivateMap<std::size_t, PrivateMap<std::uintptr_t, bool>> by_size_;  // size -> first addresses
};

}  // namespace lbhm::emulator
