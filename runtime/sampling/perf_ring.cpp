#include "runtime/sampling/perf_ring.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lbhm::sampling {
namespace {

// Positions count bytes since the ring was made; both sides reduce them by its size. The kernel publishes data with its
// head, and takes our tail as leave to overwrite: hence acquire and release.
std::uint64_t written(__u64& head) { return std::atomic_ref(head).load(std::memory_order_acquire); }
void give_back(__u64& tail, std::uint64_t position) {
  std::atomic_ref(tail).store(position, std::memory_order_release);
}

/// Copies `out.size()` bytes from a ring.
void copy_from(std::span<const std::byte> ring, std::uint64_t position, std::span<std::byte> out) {
  const std::size_t start = position & (ring.size() - 1);
  const std::size_t before_end = std::min(out.size(), ring.size() - start);
  std::memcpy(out.data(), ring.data() + start, before_end);
  std::memcpy(out.data() + before_end, ring.data(), out.size() - before_end);
}

}  // namespace

PerfRing::PerfRing(perf_event_mmap_page* control, std::span<const std::byte> data) : control_(control), data_(data) {}

std::span<const std::byte> PerfRing::record_at(std::uint64_t position, std::size_t bytes) {
  const std::size_t start = position & (data_.size() - 1);
  if (start + bytes <= data_.size()) return data_.subspan(start, bytes);
  wrapped_.resize(bytes);
  copy_from(data_, position, wrapped_);
  return wrapped_;
}

bool PerfRing::read(const Take& take) {
  if (data_.empty()) return true;
  const std::uint64_t head = written(control_->data_head);
  std::uint64_t tail = control_->data_tail;
  bool sound = head - tail <= data_.size();
  while (sound && tail != head) {
    perf_event_header header{};
    if (head - tail < sizeof header) {
      sound = false;
      break;
    }
    copy_from(data_, tail, std::as_writable_bytes(std::span(&header, 1)));
    if (header.size < sizeof header || header.size > head - tail) {
      sound = false;
      break;
    }
    take(record_at(tail, header.size));
    tail += header.size;
  }
  give_back(control_->data_tail, head);
  return sound;
}

double PerfRing::fill() const {
  if (data_.empty()) return 0;
  const std::uint64_t unread = written(control_->data_head) - control_->data_tail;
  return static_cast<double>(unread) / static_cast<double>(data_.size());
}

bool read_aux(perf_event_mmap_page* control, std::span<const std::byte> aux, std::vector<std::byte>& out) {
  if (aux.empty()) return true;
  const std::uint64_t head = written(control->aux_head);
  const std::uint64_t tail = control->aux_tail;
  const bool sound = head - tail <= aux.size();
  if (sound) {
    const std::size_t before = out.size();
    out.resize(before + (head - tail));
    copy_from(aux, tail, std::span(out).subspan(before));
  }
  give_back(control->aux_tail, head);
  return sound;
}

}  // namespace lbhm::sampling
