#include "runtime/sampling/pagemap.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace lbhm::sampling {

Pagemap::Pagemap(const std::string& root)
    : file_(open((root + "/proc/self/pagemap").c_str(), O_RDONLY | O_CLOEXEC)),
      page_(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))) {}

Pagemap::~Pagemap() {
  if (file_ >= 0) close(file_);
}

void Pagemap::read(std::span<const std::uintptr_t> pages, std::span<std::uint64_t> out) const {
  std::ranges::fill(out, 0);
  for (std::size_t first = 0; first < pages.size();) {
    std::size_t end = first + 1;
    while (end < pages.size() && pages[end] == pages[end - 1] + page_) ++end;
    const auto run = out.subspan(first, end - first);
    const auto at = static_cast<off_t>(pages[first] / page_ * sizeof(std::uint64_t));
    if (pread(file_, run.data(), run.size_bytes(), at) < 0) std::ranges::fill(run, 0);
    first = end;
  }
}

}  // namespace lbhm::sampling
