// Ways to learn whether a page was accessed; one a file.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/base/status.h"
#include "runtime/host/sampling/fault_gate.h"

namespace lbhm::sampling {

class AccessedBits {
 public:
  virtual ~AccessedBits() = default;
  /// As PageObserver::scan_accessed. The bit of a page that cannot be looked at is false.
  virtual void scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) = 0;
};

/// The kernel's idle flags of page frames: /sys/kernel/mm/page_idle/bitmap. Reads and writes, huge pages as a whole.
/// Errors: unavailable (CONFIG_IDLE_PAGE_TRACKING, root).
Result<std::unique_ptr<AccessedBits>> page_idle_bits(const std::string& root);

/// Written pages only, by asynchronous write protection: userfaultfd and PAGEMAP_SCAN. No root.
/// Errors: unavailable (Linux before 6.7).
Result<std::unique_ptr<AccessedBits>> written_bits(const std::string& root);

/// DAMON, by /sys/kernel/mm/damon: whether the kernel found the region that a page is in accessed within the last 100
/// ms. Regions, not pages; they need some seconds to follow the program. One process of the computer at a time.
/// Errors: unavailable (root, CONFIG_DAMON_SYSFS, Linux before 6.2, in use).
Result<std::unique_ptr<AccessedBits>> damon_bits(const std::string& root);

/// Hint faults of our own: every page that is accessed after a scan that cleared costs one fault.
/// Pages beyond the budget of the gate, which has to live longer, stay accessed.
std::unique_ptr<AccessedBits> faulting_bits(const std::string& root, FaultGate& gate);

}  // namespace lbhm::sampling
