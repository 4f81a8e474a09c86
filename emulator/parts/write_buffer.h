// The write buffer of a core: stores leave it in order, each when its line has arrived.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/base/time.h"
#include "emulator/parts/reorder_window.h"

namespace lbhm::emulator {

class WriteBuffer {
 public:
  static constexpr std::uint32_t maximum_size = 128;

  explicit WriteBuffer(std::uint32_t size) : size_(size) {}

  /// A store that misses needs an entry: waits for the oldest one if the buffer is full.
  void make_room(Picoseconds position, Waiting& waiting) {
    while (count_ > 0 && oldest().done <= position + waiting.total) drop_oldest();
    if (count_ < size_) return;
    waiting.until(oldest().done, position, oldest().memory);
    drop_oldest();
  }

  /// After make_room(): the line of the store is there at `done`.
  void add(Picoseconds done, bool memory) {
    last_ = std::max(last_, done);  // stores become visible in order
    entries_[(first_ + count_++) % maximum_size] = {last_, memory};
  }

 private:
  struct Entry {
    Picoseconds done = 0;
    bool memory = false;
  };

  const Entry& oldest() const { return entries_[first_]; }
  void drop_oldest() {
    first_ = (first_ + 1) % maximum_size;
    --count_;
  }

  std::uint32_t size_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  Picoseconds last_ = 0;
  std::array<Entry, maximum_size> entries_{};
};

}  // namespace lbhm::emulator
