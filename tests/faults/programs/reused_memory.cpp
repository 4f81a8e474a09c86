// Frees memory inside of a region and maps the same addresses without access: that protection is nobody's but its own.
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tests/faults/programs/watched_pages.h"

namespace {

/// Pages of [first, first + watched_bytes) that may be accessed.
std::uintptr_t accessible_pages(const char* first) {
  const auto low = reinterpret_cast<std::uintptr_t>(first), high = low + faults::watched_bytes;
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  std::uintptr_t pages = 0;
  char line[512];
  while (maps && std::fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0;
    char rights[8] = "";
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3) continue;
    if (end <= low || begin >= high || std::strcmp(rights, "---p") == 0) continue;
    pages += ((end < high ? end : high) - (begin > low ? begin : low)) / faults::page_bytes;
  }
  if (maps) std::fclose(maps);
  return pages;
}

}  // namespace

int main() {
  char* const other = faults::watched();
  std::uintptr_t wrong = 0;
  for (int repeat = 0; repeat < 8; ++repeat) {
    char* const bytes = faults::watched();
    void* mapped = nullptr;
    faults::while_watched(bytes, other, [&] {
      omp_free(bytes, omp_null_allocator);
      mapped = mmap(bytes, faults::watched_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    });
    if (mapped == MAP_FAILED) continue;  // an allocator keeps what is freed: it is not the program's
    wrong += accessible_pages(bytes);
    munmap(mapped, faults::watched_bytes);
  }
  std::printf("pages that may be accessed and should not: %lu\n", static_cast<unsigned long>(wrong));
  return faults::finish();
}
