// For how long how many pages at a time had loads from main memory under way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "emulator/base/time.h"

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
  using Row = std::uint64_t __attribute__((vector_size(sizeof(std::uint64_t) * most)));
  using Bits = bool __attribute__((ext_vector_type(most)));
  static constexpr Row places{0, 1, 2, 3, 4, 5, 6, 7};
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  [[gnu::always_inline]] static unsigned mask_of(const Row& condition) {
    const Bits bits = __builtin_convertvector(condition, Bits);
    std::uint8_t mask = 0;
    std::memcpy(&mask, &bits, sizeof(bits));
    return mask;
  }
  /// One more from `begin` to `end` makes k + 1 of them between the k-th end and the one before that, which is later.
  [[gnu::always_inline]] void count(Picoseconds begin, Picoseconds end) {
    const Row from = __builtin_elementwise_max(ends_, Row{} + begin);
    const Row until =
        __builtin_elementwise_min(__builtin_shufflevector(Row{} + end, from, 0, 8, 9, 10, 11, 12, 13, 14), Row{} + end);
    totals_ += __builtin_elementwise_max(until, from) - from;
  }

  /// Returns when its stay ends; 0 if it has none.
  [[gnu::always_inline]] Picoseconds take_out(std::uint64_t page) {
    const Row same = (pages_ == page);
    const Picoseconds end = __builtin_reduce_or(ends_ & same);
    const Row behind = Row{} + static_cast<std::uint64_t>(std::countr_zero(mask_of(same) | 1u << most));
    const Row kept = (places < behind);
    pages_ = kept ? pages_ : __builtin_shufflevector(pages_, Row{} + none, 1, 2, 3, 4, 5, 6, 7, 8);
    ends_ = kept ? ends_ : __builtin_shufflevector(ends_, Row{}, 1, 2, 3, 4, 5, 6, 7, 8);
    return end;
  }

  /// The one that ends first gives way.
  [[gnu::always_inline]] void put_in(std::uint64_t page, Picoseconds end) {
    const Row place = Row{} + static_cast<std::uint64_t>(std::popcount(mask_of(ends_ >= end)));
    const Row here = (places == place), above = (places < place);
    pages_ = above ? pages_ : here ? Row{} + page : __builtin_shufflevector(pages_, pages_, 0, 0, 1, 2, 3, 4, 5, 6);
    ends_ = above ? ends_ : here ? Row{} + end : __builtin_shufflevector(ends_, ends_, 0, 0, 1, 2, 3, 4, 5, 6);
  }

  // Without branches, which the host could not foresee, and in whole rows. The stay that ends last comes first.
  Row pages_ = Row{} + none;
  Row ends_{};
  Row totals_{};
};

}  // namespace lbhm::emulator
