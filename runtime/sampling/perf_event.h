// One event of the calling thread with its ring: perf_event_open and the two mappings behind it.
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/base/status.h"
#include "runtime/sampling/perf_ring.h"

namespace lbhm::sampling {

struct PerfEventSpec {
  perf_event_attr attr{};
  /// Opened first; the event itself is in its group. Some Intel processors ask for it (mem-loads-aux).
  std::optional<perf_event_attr> leader{};
  std::size_t aux_bytes = 0;  ///< a power of two of pages; 0: the event has no second buffer
};

/// What all our events have in common: user space only, off until enabled, nobody is woken up.
perf_event_attr common_attributes(std::uint32_t type, std::uint64_t config, std::uint64_t sample_type);

class PerfEvent {
 public:
  /// For the calling thread, wherever it runs. The ring is as large as the limits allow.
  /// Errors: permission_denied, unavailable, no_memory; each says what would help.
  static Result<PerfEvent> open(const PerfEventSpec& spec);
  ~PerfEvent();
  PerfEvent(PerfEvent&& other) noexcept;
  PerfEvent& operator=(PerfEvent&& other) = delete;

  PerfRing& ring() { return ring_; }
  perf_event_mmap_page& control() const { return *control_; }
  std::span<const std::byte> aux() const { return aux_; }
  std::uint64_t sample_type() const { return sample_type_; }

  /// False: the kernel refused.
  bool set_period(std::uint64_t period);
  void enable(bool on);

 private:
  PerfEvent() = default;
  Status map_ring();
  Status map_aux(std::size_t bytes);

  int file_ = -1;
  int leader_ = -1;
  std::uint64_t sample_type_ = 0;
  perf_event_mmap_page* control_ = nullptr;
  std::size_t mapped_ = 0;
  std::span<std::byte> aux_;
  PerfRing ring_{nullptr, {}};
};

}  // namespace lbhm::sampling
