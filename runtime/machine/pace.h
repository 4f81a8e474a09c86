// A limit on the bytes that are moved in a time.
#pragma once

#include <chrono>
#include <mutex>

#include "runtime/base/units.h"

namespace lbhm::host {

/// Calls may come from any thread.
class Pace {
 public:
  /// `limit`: of all threads together; 0 (or less): none.
  explicit Pace(BytesPerNanosecond limit) : limit_(limit) {}

  /// Sleeps until what was taken before is paid for; bytes moved at the limit take that long.
  void wait() const;
  /// So much was moved.
  void took(Bytes bytes);

 private:
  using Clock = std::chrono::steady_clock;

  BytesPerNanosecond limit_;
  mutable std::mutex lock_;
  Clock::time_point free_at_{};
};

}  // namespace lbhm::host
