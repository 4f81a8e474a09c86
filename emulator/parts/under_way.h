// For how long how many pages at a time had loads from main memory under way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "emulator/base/time.h"
#include "emulator/parts/rows.h"

namespace lbhm::emulator {

/// Stays come in the order in which they begin. Then at a time behind the last begin as many are under way as have
/// their end behind it, and the ends alone tell.
class UnderWay {
 public:
  static constexpr std::size_t most = 8;

  /// `page` has a load under way from `begin` to `end`; if it has one already, until both ends are past.
  [[gnu::always_inline]] void add(std::uint64_t page, Picoseconds begin, Picoseconds end) {
    const Picoseconds before = take_out(page);
    count(std::max(begin, before), end);
    put_in(page, std::max(end, before));
  }

  /// Time in which at least so many were, 1 to `most`.
  Picoseconds at_least(std::size_t number) const { return totals_[number - 1]; }

 private:
  using Row = SimdVector<std::uint64_t, most>;
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  /// One more from `begin` to `end` makes k + 1 of them between the k-th end and the one before that, which is later.
  [[gnu::always_inline]] void count(Picoseconds begin, Picoseconds end) {
    const Row from = __builtin_elementwise_max(ends_, Row{} + begin);
    Row until = from;
    shift_up<std::uint64_t, most>(until, end);
    until = __builtin_elementwise_min(until, Row{} + end);
    totals_ += __builtin_elementwise_max(until, from) - from;
  }

  /// Returns when its stay ends; 0 if it has none.
  [[gnu::always_inline]] Picoseconds take_out(std::uint64_t page) {
    const Row same = (pages_ == page);
    const Picoseconds end = __builtin_reduce_or(ends_ & same);
    const Row behind = Row{} + static_cast<std::uint64_t>(std::countr_zero(bits_of<most>(same) | 1u << most));
    const Row kept = (places<std::uint64_t, most> < behind);
    Row pages = pages_, ends = ends_;
    shift_down<std::uint64_t, most>(pages, none);
    shift_down<std::uint64_t, most>(ends, 0);
    pages_ = kept ? pages_ : pages;
    ends_ = kept ? ends_ : ends;
    return end;
  }

  /// The one that ends first gives way.
  [[gnu::always_inline]] void put_in(std::uint64_t page, Picoseconds end) {
    const Row place = Row{} + static_cast<std::uint64_t>(std::popcount(bits_of<most>(ends_ >= end)));
    const Row here = (places<std::uint64_t, most> == place), above = (places<std::uint64_t, most> < place);
    Row pages = pages_, ends = ends_;
    shift_up<std::uint64_t, most>(pages, page);
    shift_up<std::uint64_t, most>(ends, end);
    pages_ = above ? pages_ : here ? Row{} + page : pages;
    ends_ = above ? ends_ : here ? Row{} + end : ends;
  }

  // The stay that ends last comes first.
  Row pages_ = Row{} + none;
  Row ends_{};
  Row totals_{};
};

}  // namespace lbhm::emulator
