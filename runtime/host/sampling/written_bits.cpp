// Written pages by asynchronous write protection: the kernel itself takes the fault and notes the write, nobody is
// called. Linux 6.7 and later; what the headers of older systems lack is defined here, as in include/uapi/linux/fs.h
// and include/uapi/linux/userfaultfd.h of Linux 6.7.
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "runtime/host/sampling/accessed_bits.h"

namespace lbhm::sampling {
namespace {

constexpr std::uint64_t wp_unpopulated = 1 << 13;  // UFFD_FEATURE_WP_UNPOPULATED
constexpr std::uint64_t wp_async = 1 << 15;        // UFFD_FEATURE_WP_ASYNC
constexpr int user_mode_only = 1;                  // UFFD_USER_MODE_ONLY

/// struct page_region
struct Region {
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t categories;
};
/// struct pm_scan_arg
struct ScanArgument {
  std::uint64_t size = sizeof(ScanArgument);
  std::uint64_t flags = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t walk_end = 0;
  std::uint64_t vec = 0;
  std::uint64_t vec_len = 0;
  std::uint64_t max_pages = 0;
  std::uint64_t category_inverted = 0;
  std::uint64_t category_mask = 0;
  std::uint64_t category_anyof_mask = 0;
  std::uint64_t return_mask = 0;
};
constexpr std::uint64_t is_written = 1 << 1;      // PAGE_IS_WRITTEN
constexpr std::uint64_t wp_matching = 1 << 0;     // PM_SCAN_WP_MATCHING
constexpr std::uint64_t check_wp_async = 1 << 1;  // PM_SCAN_CHECK_WPASYNC
constexpr unsigned long pagemap_scan = _IOWR('f', 16, ScanArgument);

class WrittenBits final : public AccessedBits {
 public:
  explicit WrittenBits(const std::string& root)
      : pagemap_(open((root + "/proc/self/pagemap").c_str(), O_RDONLY | O_CLOEXEC)),
        protection_(static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | user_mode_only))) {}
  ~WrittenBits() override {
    if (protection_ >= 0) close(protection_);  // the kernel takes the protection back
    if (pagemap_ >= 0) close(pagemap_);
  }
  WrittenBits(const WrittenBits&) = delete;
  WrittenBits& operator=(const WrittenBits&) = delete;

  std::string missing() const {
    if (pagemap_ < 0) return "/proc/self/pagemap cannot be read; mount /proc";
    ScanArgument nothing;
    if (ioctl(pagemap_, pagemap_scan, &nothing) < 0) return "no PAGEMAP_SCAN; it needs Linux 6.7 or later";
    if (protection_ < 0) return std::string("userfaultfd: ") + std::strerror(errno) + "; it must be allowed";
    uffdio_api api{.api = UFFD_API, .features = wp_async | wp_unpopulated, .ioctls = 0};
    if (ioctl(protection_, UFFDIO_API, &api) != 0)
      return "no asynchronous write protection; it needs Linux 6.7 or later";
    return "";
  }

  void scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    std::ranges::fill(out, false);
    for (std::size_t i = 0; i < pages.size();) {
      std::size_t end = i + 1;
      while (end < pages.size() && pages[end] == pages[end - 1] + page_) ++end;
      scan_run(pages.subspan(i, end - i), out.subspan(i, end - i), clear);
      i = end;
    }
  }

 private:
  void scan_run(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) {
    uffdio_register range{
        .range = {.start = pages.front(), .len = pages.size() * page_}, .mode = UFFDIO_REGISTER_MODE_WP, .ioctls = 0};
    if (ioctl(protection_, UFFDIO_REGISTER, &range) != 0) return;
    std::vector<Region> regions(pages.size() / 2 + 1);  // written and not written take turns at worst
    ScanArgument argument;
    argument.flags = check_wp_async | (clear ? wp_matching : 0);
    argument.start = pages.front();
    argument.end = pages.back() + page_;
    argument.vec = reinterpret_cast<std::uintptr_t>(regions.data());
    argument.vec_len = regions.size();
    argument.category_mask = is_written;
    argument.return_mask = is_written;
    const int found = ioctl(pagemap_, pagemap_scan, &argument);
    if (found < 0) return;
    for (const Region& region : std::span(regions).first(static_cast<std::size_t>(found))) {
      for (std::uint64_t page = region.start; page < region.end; page += page_)
        out[(page - pages.front()) / page_] = true;
    }
  }

  const std::uint64_t page_ = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  int pagemap_;
  int protection_;
};

}  // namespace

Result<std::unique_ptr<AccessedBits>> written_bits(const std::string& root) {
  auto bits = std::make_unique<WrittenBits>(root);
  if (const std::string missing = bits->missing(); !missing.empty())
    return failure(StatusCode::unavailable, "written pages: " + missing);
  return bits;
}

}  // namespace lbhm::sampling
