// A perf ring as the kernel would leave it, with contents that the test makes up.
#pragma once

#include <linux/perf_event.h>

#include <cstring>
#include <span>
#include <vector>

#include "runtime/host/sampling/perf_event.h"

namespace lbhm::sampling::made_up {

/// Appends numbers as they lie in memory.
template <class... Numbers>
std::vector<std::byte> bytes_of(Numbers... numbers) {
  std::vector<std::byte> bytes;
  const auto append = [&](auto number) {
    const auto* first = reinterpret_cast<const std::byte*>(&number);
    bytes.insert(bytes.end(), first, first + sizeof number);
  };
  (append(numbers), ...);
  return bytes;
}

/// A record with its header; `claimed`: what the header says of its size, if not the truth.
inline std::vector<std::byte> record(std::uint32_t type, const std::vector<std::byte>& body,
                                     std::uint16_t claimed = 0) {
  const auto size = static_cast<std::uint16_t>(sizeof(perf_event_header) + body.size());
  auto bytes = bytes_of(type, std::uint16_t{PERF_RECORD_MISC_USER}, claimed ? claimed : size);
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

class Ring {
 public:
  /// `start`: bytes that went through the ring before.
  explicit Ring(std::size_t bytes, std::uint64_t start = 0) : data_(bytes) {
    control_.data_head = control_.data_tail = start;
  }
  void write(const std::vector<std::byte>& bytes) {
    for (const std::byte byte : bytes) data_[control_.data_head++ & (data_.size() - 1)] = byte;
  }
  perf_event_mmap_page& control() { return control_; }
  PerfRing reader() { return {&control_, data_}; }
  /// The records that the reader gives; `sound`: what it says of the whole.
  std::vector<std::vector<std::byte>> read(bool* sound = nullptr) {
    std::vector<std::vector<std::byte>> records;
    const bool all = reader().read([&](std::span<const std::byte> r) { records.emplace_back(r.begin(), r.end()); });
    if (sound) *sound = all;
    return records;
  }

 private:
  perf_event_mmap_page control_{};
  std::vector<std::byte> data_;
};

}  // namespace lbhm::sampling::made_up
