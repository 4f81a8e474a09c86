// Accessed bits by the kernel's idle page tracking (Documentation/admin-guide/mm/idle_page_tracking.rst).
#include <fcntl.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "runtime/host/sampling/accessed_bits.h"
#include "runtime/host/sampling/mappings.h"

namespace lbhm::sampling {
namespace {

// Documentation/admin-guide/mm/pagemap.rst.
constexpr std::uint64_t tail_flag = std::uint64_t{1} << 16;  // KPF_COMPOUND_TAIL
/// Frames of the largest page that has an idle flag of its own (512 at 4 KiB, 8192 at 64 KiB; one more is harmless).
constexpr std::uint64_t most_frames = 8192;

class File {
 public:
  File(const std::string& path, int flags) : file_(open(path.c_str(), flags | O_CLOEXEC)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(File&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  File& operator=(File&&) = delete;

  bool is_open() const { return file_ >= 0; }
  /// The n-th number of 64 bits.
  bool read(std::uint64_t n, std::uint64_t& out) const {
    return pread(file_, &out, sizeof out, static_cast<off_t>(n * sizeof out)) == sizeof out;
  }
  bool write(std::uint64_t n, std::uint64_t value) const {
    return pwrite(file_, &value, sizeof value, static_cast<off_t>(n * sizeof value)) == sizeof value;
  }

 private:
  int file_;
};

class PageIdle final : public AccessedBits {
 public:
  explicit PageIdle(const std::string& root)
      : bitmap_(root + "/sys/kernel/mm/page_idle/bitmap", O_RDWR),
        pagemap_(root),
        flags_(root + "/proc/kpageflags", O_RDONLY) {}

  /// Empty when all is there; otherwise what is missing.
  std::string missing() const {
    if (!bitmap_.is_open())
      return "/sys/kernel/mm/page_idle/bitmap cannot be written; it needs root and a kernel with "
             "CONFIG_IDLE_PAGE_TRACKING";
    // Without CAP_SYS_ADMIN the file opens, but all frames are 0.
    std::uint64_t entry = 0;
    const auto here = reinterpret_cast<std::uintptr_t>(this) & ~(page_ - 1);
    pagemap_.read({&here, 1}, {&entry, 1});
    if (Pagemap::frame(entry) == 0) return "/proc/self/pagemap hides page frames; it needs root (CAP_SYS_ADMIN)";
    return "";
  }

  void scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    std::vector<std::uint64_t> entries(pages.size());
    pagemap_.read(pages, entries);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const std::uint64_t frame = flagged_frame(Pagemap::frame(entries[i]));
      std::uint64_t idle = 0;
      const bool seen = frame != 0 && bitmap_.read(frame / 64, idle);
      out[i] = seen && !(idle >> frame % 64 & 1);
      // Zeros that are written change nothing.
      if (seen && clear) bitmap_.write(frame / 64, std::uint64_t{1} << frame % 64);
    }
  }

 private:
  /// Of a huge page only the first frame has a flag.
  std::uint64_t flagged_frame(std::uint64_t frame) const {
    std::uint64_t flags = 0;
    for (std::uint64_t back = 0; back < most_frames && frame > 0; ++back, --frame) {
      if (!flags_.is_open() || !flags_.read(frame, flags) || !(flags & tail_flag)) break;
    }
    return frame;
  }

  const std::uintptr_t page_ = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  File bitmap_;
  Pagemap pagemap_;
  File flags_;
};

}  // namespace

Result<std::unique_ptr<AccessedBits>> page_idle_bits(const std::string& root) {
  auto bits = std::make_unique<PageIdle>(root);
  if (const std::string missing = bits->missing(); !missing.empty())
    return failure(StatusCode::unavailable, "accessed bits by page_idle: " + missing);
  return bits;
}

}  // namespace lbhm::sampling
