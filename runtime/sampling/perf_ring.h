// The ring buffer that the kernel fills with records of one perf event (man 2 perf_event_open, "MMAP layout").
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

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

}  // namespace lbhm::sampling
