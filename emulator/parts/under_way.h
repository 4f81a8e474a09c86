// For how long how many pages at a time had loads from main memory under way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "emulator/base/time.h"

namespace lbhm::emulator {

/// Stays come in the order in which they begin. Then at a time behind the last begin as many are under way as have
/// their end behind it, and the ends alone tell.
class UnderWay {
 public:
  static constexpr std::size_t most = 8;

  /// `page` has a load under way from `begin` to `end`; if it has one already, until both ends are past.
  void add(std::uint64_t page, Picoseconds begin, Picoseconds end) {
    const Picoseconds before = take_out(page);
    count(std::max(begin, before), end);
    put_in({page, std::max(end, before)});
  }

  /// Time in which at least so many were, 1 to `most`.
  Picoseconds at_least(std::size_t number) const { return total_[number - 1]; }

 private:
  struct Stay {
    std::uint64_t page = std::numeric_limits<std::uint64_t>::max();
    Picoseconds end = 0;
  };

  /// One more from `begin` to `end` makes `number` of them where number - 1 were.
  void count(Picoseconds begin, Picoseconds end) {
    Picoseconds until = end;
    for (std::size_t number = 1; number <= most && until > begin; ++number) {
      const Picoseconds from = std::max(begin, latest_[number - 1].end);
      if (until > from) total_[number - 1] += until - from;
      until = std::min(until, from);
    }
  }

  /// Returns when its stay ends; 0 if it has none.
  Picoseconds take_out(std::uint64_t page) {
    const auto found = std::ranges::find(latest_, page, &Stay::page);
    if (found == latest_.end()) return 0;
    const Picoseconds end = found->end;
    std::move(found + 1, latest_.end(), found);
    latest_.back() = {};
    return end;
  }

  /// The one that ends first gives way.
  void put_in(const Stay& stay) {
    const auto place = std::ranges::find_if(latest_, [&](const Stay& other) { return other.end < stay.end; });
    if (place == latest_.end()) return;
    std::move_backward(place, latest_.end() - 1, latest_.end());
    *place = stay;
  }

  std::array<Stay, most> latest_{};  // the one that ends last comes first
  std::array<Picoseconds, most> total_{};
};

}  // namespace lbhm::emulator
