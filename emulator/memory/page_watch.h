// Accessed bits and hint faults of pages, as a page table with help of the operating system offers them.
//
// Both are met when a translation comes into a TLB. A page that stays in all TLBs is accessed unseen, as on hardware;
// so the machine lets translations fall out when it clears bits (emulated_memory.cpp).
// Within a quantum every core sees an armed page as armed until its own first access; when the quantum ends the first
// of these accesses in virtual time is the hint fault that is reported, and the page is armed no more.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "emulator/base/by_page_id.h"
#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/memory/preferences.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

class PageWatch {
 public:
  /// A translation comes into a TLB. True if the page is armed.
  bool filled(PageId page) {
    const std::uint8_t bits = bits_[page].load(std::memory_order_relaxed);
    if ((bits & accessed) == 0) bits_[page].fetch_or(accessed, std::memory_order_relaxed);
    return (bits & armed) != 0;
  }
  /// A core met an armed page.
  void fault(PageId page, const HintFault& fault);

  /// ByPageId::keep
  void keep(PageId end) { bits_.keep(end); }
  bool was_accessed(PageId page, bool clear);
  void arm(PageId page) { bits_[page].fetch_or(armed, std::memory_order_relaxed); }

  /// The quantum is over: the first fault of each page stands, and the page is armed no more.
  void end_quantum();
  /// Moves what stands to the end of `out`.
  void drain(std::vector<HintFault>& out);

 private:
  static constexpr std::uint8_t accessed = 1;
  static constexpr std::uint8_t armed = 2;

  struct Met {
    PageId page = 0;
    HintFault fault;
  };

  ByPageId<std::uint8_t> bits_;
  std::mutex lock_;
  PrivateVector<Met> met_;  // in this quantum
  PrivateVector<HintFault> faults_;
};

}  // namespace lbhm::emulator
