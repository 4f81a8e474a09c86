// What one core did to each page, exactly: for the oracle, which places pages by what they cost.
#pragma once

#include <cstdint>
#include <utility>

#include "emulator/base/by_page_id.h"
#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"

namespace lbhm::emulator {

/// Sums over an interval.
struct PageUse {
  std::uint64_t accesses = 0;  ///< misses of the last-level cache
  Picoseconds stall = 0;       ///< that the core waited for the page's lines, overlap taken off
  Picoseconds read = 0;        ///< how long the tier that holds the page was busy with its lines
  Picoseconds written = 0;

  PageUse& operator+=(const PageUse& other) {
    accesses += other.accesses;
    stall += other.stall;
    read += other.read;
    written += other.written;
    return *this;
  }
};

/// For the thread that the core executes.
class PageCounter : public PrivatelyAllocated {
 public:
  void access(PageId page) { ++uses_[page].accesses; }
  void stall(PageId page, Picoseconds duration) {
    if (duration > 0) uses_[page].stall += duration;
  }
  void read(PageId page, Picoseconds duration) { uses_[page].read += duration; }
  void written(PageId page, Picoseconds duration) { uses_[page].written += duration; }

  /// All since the last call.
  PrivateHashMap<PageId, PageUse> take() { return std::exchange(uses_, {}); }

 private:
  PrivateHashMap<PageId, PageUse> uses_;
};

}  // namespace lbhm::emulator
