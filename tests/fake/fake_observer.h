// Accessed bits and hint faults of pages, as the test has them accessed.
#pragma once

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "runtime/machine/machine.h"

namespace lbhm::fake {

class FakeObserver final : public PageObserver {
 public:
  // For the test.
  /// An access: sets the bit, and is a hint fault if the page is armed.
  void access(std::uintptr_t page, LaneId lane = LaneId(0), Nanoseconds time = {}) {
    accessed_.insert(page);
    if (armed_.erase(page) > 0) faults_.push_back({.page = page, .lane = lane, .write = false, .time = time});
  }
  bool armed(std::uintptr_t page) const { return armed_.contains(page); }
  std::size_t armed_pages() const { return armed_.size(); }

  void scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      out[i] = accessed_.contains(pages[i]);
      if (clear) accessed_.erase(pages[i]);
    }
  }
  void arm_hint_faults(std::span<const std::uintptr_t> pages) override { armed_.insert(pages.begin(), pages.end()); }
  void drain_hint_faults(std::vector<HintFault>& out) override {
    std::ranges::sort(faults_, {}, [](const HintFault& fault) { return std::tuple(fault.time, fault.lane); });
    out.insert(out.end(), faults_.begin(), faults_.end());
    faults_.clear();
  }

 private:
  std::set<std::uintptr_t> accessed_;
  std::set<std::uintptr_t> armed_;
  std::vector<HintFault> faults_;
};

}  // namespace lbhm::fake
