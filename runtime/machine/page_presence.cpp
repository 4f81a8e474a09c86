#include "runtime/machine/page_presence.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace lbhm::host {
namespace {

// Bits of an entry: Documentation/admin-guide/mm/pagemap.rst.
constexpr std::uint64_t present = std::uint64_t{1} << 63;
constexpr std::uint64_t swapped = std::uint64_t{1} << 62;  // set for pages under migration, too

/// Entries asked for at once: 4 KiB of them.
constexpr std::size_t most_entries = 512;

/// How many of the pages follow each other without a gap.
std::size_t run_length(std::span<const std::uintptr_t> pages, std::uintptr_t page_bytes) {
  std::size_t length = 1;
  while (length < std::min(pages.size(), most_entries) && pages[length] == pages[length - 1] + page_bytes) ++length;
  return length;
}

void read_run(int file, std::uintptr_t first_page, std::span<bool> out) {
  std::array<std::uint64_t, most_entries> entries;
  const std::size_t wanted = out.size() * sizeof(entries[0]);
  const ssize_t got = pread(file, entries.data(), wanted, static_cast<off_t>(first_page * sizeof(entries[0])));
  const std::size_t known = got < 0 ? 0 : static_cast<std::size_t>(got) / sizeof(entries[0]);
  for (std::size_t i = 0; i < known; ++i) out[i] = (entries[i] & (present | swapped)) != 0;
}

}  // namespace

void have_contents(std::span<const std::uintptr_t> pages, std::span<bool> out) {
  std::ranges::fill(out, false);
  const int before = errno;
  // Opened each time: programs may close descriptors that they do not know.
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < pages.size();) {
      const std::size_t run = run_length(pages.subspan(at), page_bytes);
      read_run(file, pages[at] / page_bytes, out.subspan(at, run));
      at += run;
    }
    close(file);
  }
  errno = before;
}

}  // namespace lbhm::host
