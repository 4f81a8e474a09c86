#include "bench/measure/kernels/lines.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace measure {

Lines::Lines(std::size_t bytes, Pages pages) : count_(bytes / sizeof(Line)) {
  memory_ = mmap(nullptr, count_ * sizeof(Line), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    std::fprintf(stderr, "no %zu bytes of memory are left; ask for fewer, or close other programs\n", bytes);
    std::exit(1);
  }
  // A kernel without huge pages refuses; then the latencies contain page walks, as they do for every program there.
  static_cast<void>(madvise(memory_, count_ * sizeof(Line), pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
}

Lines::~Lines() { munmap(memory_, count_ * sizeof(Line)); }

}  // namespace measure
