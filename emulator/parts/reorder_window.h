// Which waits a core can hide: its reorder window, and its write buffer.
//
// A core goes on past a load that misses until the load is `size` old; then it waits for it. Ages are given in dispatch
// time, that is, the clock without any waiting. So the clock is position + waited, and a load dispatched at position p
// stops the core at position p + size unless it is done by then.
// After: T. Karkhanis, J. Smith, "A First-Order Superscalar Processor Model", ISCA 2004; S. Eyerman et al., "A
// Mechanistic Performance Model for Superscalar Out-of-Order Processors", ACM TOCS 27(2), 2009; D. Genbrugge, S.
// Eyerman, L. Eeckhout, "Interval Simulation", HPCA 2010.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/base/time.h"
#include "emulator/parts/page_counter.h"

namespace lbhm::emulator {

/// How long a core has waited so far.
struct Waiting {
  Picoseconds total = 0;
  Picoseconds memory = 0;  ///< the part that was for main memory

  /// The core, now at `position` of its dispatch time, can do nothing before `time`.
  void until(Picoseconds time, Picoseconds position, bool for_memory) {
    // Without a branch: the host cannot foresee whether there is something to wait for.
    const Picoseconds now = position + total;
    const Picoseconds wait = std::max(time, now) - now;
    total += wait;
    memory += for_memory ? wait : 0;
  }
};

class ReorderWindow {
 public:
  /// Loads that can be under way at one time, whatever the window's size: about a load buffer's entries.
  static constexpr std::uint32_t maximum_loads = 128;

  explicit ReorderWindow(Picoseconds size) : size_(size) {}

  /// In dispatch time, which a number of instructions takes longer or shorter, depending on what they are.
  void set_size(Picoseconds size) {
    size_ = size;
    note_oldest();
  }

  /// The core has dispatched up to `position`: waits for what is now too old.
  [[gnu::always_inline]] void advance(Picoseconds position, Waiting& waiting) {
    while (full_at_ <= position) finish_oldest(full_at_, waiting);
  }

  /// A load dispatched at `position`, after advance(), has its data at `done` on the clock.
  /// `page`: of its data, where stalls are counted by page.
  [[gnu::always_inline]] void issue(Picoseconds position, Picoseconds done, bool memory, Waiting& waiting,
                                    PageId page = 0) {
    if (done <= position + waiting.total + size_) return;  // done before the window can be full
    if (count_ == maximum_loads) finish_oldest(position, waiting);
    loads_[(first_ + count_++) % maximum_loads] = {position, done, memory, page};
    full_at_ = std::min(full_at_, position + size_);
  }

  void count(PageCounter& counter) { counter_ = &counter; }
  /// The core waited for `duration` until the data came that a load under way has at `done`.
  void count_wait(Picoseconds done, Picoseconds duration) {
    for (std::uint32_t i = count_; i > 0; --i) {
      const Load& load = loads_[(first_ + i - 1) % maximum_loads];
      if (load.done == done) return counter_->stall(load.page, duration);
    }
  }

  /// Waits for everything that is under way (the thread is about to synchronise).
  void drain(Picoseconds position, Waiting& waiting) {
    while (count_ > 0) finish_oldest(position, waiting);
  }

 private:
  struct Load {
    Picoseconds position = 0;
    Picoseconds done = 0;
    bool memory = false;
    PageId page = 0;
  };

  const Load& oldest() const { return loads_[first_]; }
  [[gnu::always_inline]] void finish_oldest(Picoseconds position, Waiting& waiting) {
    const Picoseconds before = waiting.memory;
    waiting.until(oldest().done, position, oldest().memory);
    if (counter_ != nullptr) [[unlikely]]
      counter_->stall(oldest().page, waiting.memory - before);
    first_ = (first_ + 1) % maximum_loads;
    --count_;
    note_oldest();
  }
  void note_oldest() { full_at_ = count_ > 0 ? oldest().position + size_ : never; }

  Picoseconds size_;
  Picoseconds full_at_ = never;  // dispatch time at which the oldest load is as old as it may become
  PageCounter* counter_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::array<Load, maximum_loads> loads_{};
};

/// Stores leave it in order, each when its line has arrived.
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
