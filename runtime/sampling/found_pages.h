// Part of the door of runtime/sampling: what a policy's scans of accessed bits found, for those who learn from it.
#pragma once

#include <mutex>
#include <span>

#include "runtime/sampling/sampling.h"

namespace lbhm {

/// How often scans found each page. Calls may come from any thread.
class FoundPages {
 public:
  /// A phase begins. What the next scan finds was accessed before it, too, and is left out.
  void begin() {
    const std::lock_guard lock(mutex_);
    counts_.clear();
    begun_ = true;
    looks_back_ = true;
  }
  /// A scan found these pages accessed, given by their first bytes. Before the first phase nobody wants to know.
  void add(std::span<const std::uintptr_t> pages) {
    const std::lock_guard lock(mutex_);
    if (begun_ && !looks_back_) {
      for (const std::uintptr_t page : pages) ++counts_[page];
    }
    looks_back_ = false;
  }
  /// Adds what scans have found since the last call.
  void read(FoundCounts& found) {
    const std::lock_guard lock(mutex_);
    for (const auto& [page, times] : counts_) found[page] += times;
    counts_.clear();
  }

 private:
  std::mutex mutex_;
  FoundCounts counts_;
  bool begun_ = false;
  bool looks_back_ = false;  // the next scan, beyond the phase's begin
};

}  // namespace lbhm
