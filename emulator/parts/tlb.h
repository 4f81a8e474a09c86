// The TLB of one core, over its frames. It is looked up at misses of the first-level cache.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/parts/cache.h"

namespace lbhm::emulator {

class Tlb {
 public:
  explicit Tlb(CacheShape shape) : entries_(shape) {}

  /// False if the page table has to be walked; the page is in the TLB afterwards.
  [[gnu::always_inline]] bool access(std::uint32_t frame) {
    constexpr std::uint32_t golden =
        0x9e3779b1;  // pages of arrays whose sizes are powers of two go to different places
    std::uint32_t& recent = recent_[frame * golden >> (32 - first_level_bits)];
    if (recent == frame) return true;
    recent = frame;
    return entries_.access(frame, false).hit;
  }

  /// Whether a walk finds the page's entry in a cache: the line that holds it was used for one of the last walks. A
  /// line holds the entries of eight pages.
  bool entry_at_hand(std::uint32_t frame) {
    const std::uint32_t line = (frame >> 3) + 1;
    std::uint32_t& last = entries_read_[line % entries_read_.size()];
    const bool known = last == line;
    last = line;
    return known;
  }

  void remove(std::uint32_t frame) {
    recent_.fill(0);
    entries_.remove(frame);
  }
  void clear() {
    recent_.fill(0);
    entries_.clear();
  }

 private:
  static constexpr unsigned first_level_bits = 6;

  Cache entries_;
  /// Assumption: page tables keep 16 KiB of the caches for themselves.
  std::array<std::uint32_t, 256> entries_read_{};
  /// The first level, 64 entries: what hits there does not count as a use of the second.
  std::array<std::uint32_t, 1u << first_level_bits> recent_{};
};

}  // namespace lbhm::emulator
