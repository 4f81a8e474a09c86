#include "runtime/host/sampling/perf_event.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

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

/// 256 KiB hold about 5,000 samples. Unprivileged processes share perf_event_mlock_kb (516 KiB a processor by default):
/// where that is used up the ring becomes smaller.
constexpr std::size_t most_ring_pages = 64;

/// The program's own files get the lowest numbers, as without us; where these are few, none of them is taken.
int move_up(int file) {
  constexpr rlim_t high = 256;
  rlimit limit{};
  const rlim_t lowest = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min(high, limit.rlim_cur / 2) : high;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, static_cast<int>(lowest));
  const int error = errno;
  close(file);
  errno = error;
  return moved;
}

int perf_event_open(const perf_event_attr& attr, int group) {
  const auto file = static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC));
  return file < 0 ? file : move_up(file);
}

/// Whoever does not leave the kernel out asks for more (perf_event_open(2)).
Status explain(int error, const perf_event_attr& attr) {
  const std::string what = std::string("perf_event_open: ") + std::strerror(error);
  switch (error) {
    case EACCES:
    case EPERM:
      return {StatusCode::permission_denied,
              what + "; set /proc/sys/kernel/perf_event_paranoid to " + (attr.exclude_kernel ? "2" : "1") +
                  " or less, or grant CAP_PERFMON (in a container, allow perf_event_open in its seccomp profile)"};
    case EMFILE:
    case ENFILE:
      return {StatusCode::no_memory, what + "; raise the limit of open files (ulimit -n)"};
    case ENOSYS:
      return {StatusCode::unavailable, what + "; this kernel is built without perf events"};
    default:
      return {StatusCode::unavailable, what + "; this processor or kernel does not know the event"};
  }
}

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

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

perf_event_attr common_attributes(std::uint32_t type, std::uint64_t config, std::uint64_t sample_type) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = type;
  attr.config = config;
  attr.sample_type = sample_type;
  attr.sample_period = 1;
  attr.disabled = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.watermark = 1;
  attr.wakeup_watermark = ~std::uint32_t{0} >> 1;  // never reached: the reader comes by itself
  return attr;
}

Result<PerfEvent> PerfEvent::open(const PerfEventSpec& spec) {
  PerfEvent event;
  event.sample_type_ = spec.attr.sample_type;
  if (spec.leader) {
    event.leader_ = perf_event_open(*spec.leader, -1);
    if (event.leader_ < 0) return std::unexpected(explain(errno, *spec.leader));
  }
  event.file_ = perf_event_open(spec.attr, event.leader_);
  if (event.file_ < 0) return std::unexpected(explain(errno, spec.attr));
  if (Status status = event.map_ring(); !status.ok()) return std::unexpected(std::move(status));
  if (Status status = event.map_aux(spec.aux_bytes); !status.ok()) return std::unexpected(std::move(status));
  return event;
}

Status PerfEvent::map_ring() {
  const std::size_t page = page_bytes();
  for (std::size_t pages = most_ring_pages; pages > 0; pages /= 2) {
    void* const at = mmap(nullptr, (1 + pages) * page, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (at == MAP_FAILED) continue;
    mapped_ = (1 + pages) * page;
    control_ = static_cast<perf_event_mmap_page*>(at);
    ring_ = PerfRing(control_, std::span(static_cast<const std::byte*>(at) + page, pages * page));
    return {};
  }
  return {StatusCode::no_memory, std::string("perf_event_open: no ring (") + std::strerror(errno) +
                                     "); raise /proc/sys/kernel/perf_event_mlock_kb or ulimit -l"};
}

Status PerfEvent::map_aux(std::size_t bytes) {
  if (bytes == 0) return {};
  control_->aux_offset = mapped_;
  control_->aux_size = bytes;
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(mapped_));
  if (at == MAP_FAILED) {
    return {StatusCode::no_memory, std::string("perf_event_open: no second buffer (") + std::strerror(errno) +
                                       "); raise /proc/sys/kernel/perf_event_mlock_kb or ulimit -l"};
  }
  aux_ = {static_cast<std::byte*>(at), bytes};
  return {};
}

PerfEvent::PerfEvent(PerfEvent&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      leader_(std::exchange(other.leader_, -1)),
      sample_type_(other.sample_type_),
      control_(std::exchange(other.control_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      aux_(std::exchange(other.aux_, {})),
      ring_(std::move(other.ring_)) {}

PerfEvent::~PerfEvent() {
  if (!aux_.empty()) munmap(aux_.data(), aux_.size());
  if (control_) munmap(control_, mapped_);
  if (file_ >= 0) close(file_);
  if (leader_ >= 0) close(leader_);
}

bool PerfEvent::set_period(std::uint64_t period) { return ioctl(file_, PERF_EVENT_IOC_PERIOD, &period) == 0; }

void PerfEvent::enable(bool on) {
  // A group that is led by another event is switched as a whole.
  ioctl(leader_ >= 0 ? leader_ : file_, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
        leader_ >= 0 ? PERF_IOC_FLAG_GROUP : 0);
}

}  // namespace lbhm::sampling
