// libFuzzer target: whatever stands in a ring, reading ends, and no sample refers to bytes outside of its record.
#include <linux/perf_event.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/host/sampling/perf_event.h"
#include "runtime/host/sampling/perf_record.h"

namespace {

constexpr std::size_t ring_bytes = 512;

void check(std::span<const std::byte> bytes, std::uint64_t type) {
  const auto record = lbhm::sampling::parse_record(bytes, type);
  const auto raw = record.sample.raw;
  if (raw.empty()) return;
  if (raw.data() < bytes.data() || raw.data() + raw.size() > bytes.data() + bytes.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 10) return 0;
  std::uint64_t type = 0;
  std::memcpy(&type, data, sizeof type);
  perf_event_mmap_page control{};
  std::vector<std::byte> ring(ring_bytes);
  const std::size_t filled = std::min(size - 10, ring_bytes + 8);  // now and then more than there can be
  control.data_tail = control.data_head = data[8] * 8U;
  for (std::size_t i = 0; i < filled; ++i) ring[control.data_head++ % ring_bytes] = std::byte{data[10 + i]};
  std::size_t records = 0;
  lbhm::sampling::PerfRing reader(&control, ring);
  reader.read([&](std::span<const std::byte> bytes) {
    ++records;
    check(bytes, type);
  });
  if (control.data_tail != control.data_head || records > ring_bytes / 8) std::abort();
  return 0;
}
