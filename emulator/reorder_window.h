// Which misses overlap: the reorder window and the fill buffers of one core.
//
// A core goes on past a load that misses until the load is `size` instructions old; then it waits for it. Positions
// are given as dispatch time (instructions x time an instruction), that is, the clock without any waiting. So the
// clock is position + waited, and the load that was dispatched at position p stops the core at position p + size.
// After: T. Karkhanis, J. Smith, "A First-Order Superscalar Processor Model", ISCA 2004; S. Eyerman et al., "A
// Mechanistic Performance Model for Superscalar Out-of-Order Processors", ACM TOCS 27(2), 2009.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/time.h"

namespace lbhm::emulator {

/// How long a core has waited so far.
struct Waiting {
  Picoseconds total = 0;
  Picoseconds memory = 0;  ///< the part that was for main memory
};

class ReorderWindow {
 public:
  static constexpr std::uint32_t maximum_fill_buffers = 64;

  /// `size` in dispatch time; `fill_buffers` from 1 to maximum_fill_buffers.
  ReorderWindow(Picoseconds size, std::uint32_t fill_buffers) : size_(size), fill_buffers_(fill_buffers) {}

  /// The core has dispatched up to `position`: waits for what is now too old.
  void advance(Picoseconds position, Waiting& waiting) {
    while (count_ > 0 && oldest().position + size_ <= position) finish_oldest(oldest().position + size_, waiting);
  }

  /// A load that misses, issued at `position` after advance(). Buffers are given back in the order of issue.
  void issue(Picoseconds position, Picoseconds latency, bool memory, Waiting& waiting) {
    while (count_ > 0 && oldest().done <= position + waiting.total) drop_oldest();
    if (count_ == fill_buffers_) finish_oldest(position, waiting);
    misses_[(first_ + count_++) % maximum_fill_buffers] = {position, position + waiting.total + latency, memory};
  }

  /// Waits for everything that is under way (the thread is about to synchronise).
  void drain(Picoseconds position, Waiting& waiting) {
    while (count_ > 0) finish_oldest(position, waiting);
  }

 private:
  struct Miss {
    Picoseconds position = 0;
    Picoseconds done = 0;  // on the clock
    bool memory = false;
  };

  const Miss& oldest() const { return misses_[first_]; }
  void drop_oldest() {
    first_ = (first_ + 1) % maximum_fill_buffers;
    --count_;
  }
  void finish_oldest(Picoseconds position, Waiting& waiting) {
    const Miss miss = oldest();
    drop_oldest();
    const Picoseconds now = position + waiting.total;
    if (miss.done <= now) return;
    waiting.total += miss.done - now;
    if (miss.memory) waiting.memory += miss.done - now;
  }

  Picoseconds size_;
  std::uint32_t fill_buffers_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::array<Miss, maximum_fill_buffers> misses_{};
};

}  // namespace lbhm::emulator
