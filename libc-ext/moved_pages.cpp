#include "libc-ext/moved_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace lbhm::heap {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t fewest = std::size_t{256} << 10;  ///< bytes; a call of the system costs as much as copying these

/// The kernel moves what has one policy; where mbind made parts of it, each has its turn.
/// The old addresses stay mapped, and empty: somebody else would get them before they are given back.
void move_pages(char* to, char* from, std::size_t bytes) {
  constexpr int flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
  if (mremap(from, bytes, bytes, flags, to) != MAP_FAILED) return;
  if (errno != EFAULT || bytes == page) {  // a kernel before 5.7, or no room for more mappings
    std::memcpy(to, from, bytes);
    return;
  }
  const std::size_t half = bytes / page / 2 * page;
  move_pages(to, from, half);
  move_pages(to + half, from + half, bytes - half);
}

}  // namespace

void move_contents(void* to, void* from, std::size_t bytes) {
  if (bytes < fewest) {
    std::memcpy(to, from, bytes);
    return;
  }
  const int before = errno;
  move_pages(static_cast<char*>(to), static_cast<char*>(from), (bytes + page - 1) / page * page);
  errno = before;
}

}  // namespace lbhm::heap
