// An event of perf_event_open(2), and the ring that the kernel writes its records to.
#pragma once

#include <linux/perf_event.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/base/status.h"

namespace lbhm::sampling {

/// Reads one ring. One reader at a time; the kernel may write meanwhile. Nobody is woken up.
class PerfRing {
 public:
  using Take = std::function<void(std::span<const std::byte> record)>;

  /// `control`: the first page of the mapping. `data`: the pages behind it, a power of two of bytes, or nothing.
  PerfRing(perf_event_mmap_page* control, std::span<const std::byte> data);

  /// Gives each whole record to `take` and its room back to the kernel. The record is valid during the call only.
  /// False: the contents made no sense (a record of no size, or beyond what was written) and were thrown away.
  bool read(const Take& take);
  /// The share of the ring that is not read yet, 0 to 1.
  double fill() const;

 private:
  std::span<const std::byte> record_at(std::uint64_t position, std::size_t bytes);

  perf_event_mmap_page* control_;
  std::span<const std::byte> data_;
  std::vector<std::byte> wrapped_;  // a record that goes round the end, in one piece
};

/// The second buffer of events whose processor writes the samples itself (Arm SPE). Moves what was not read yet to the
/// end of `out`. False: the kernel's position made no sense, and everything was thrown away.
bool read_aux(perf_event_mmap_page* control, std::span<const std::byte> aux, std::vector<std::byte>& out);

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
