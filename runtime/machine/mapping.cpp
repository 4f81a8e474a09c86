#include "runtime/machine/mapping.h"

#include <sys/mman.h>

#include <limits>

namespace lbhm::host {

void* map_aligned(Bytes bytes, Bytes page, Bytes alignment, int flags) {
  const std::uint64_t slack = alignment > page ? alignment.value - page.value : 0;
  if (bytes.value > std::numeric_limits<std::uint64_t>::max() - slack) return nullptr;
  void* const memory =
      mmap(nullptr, bytes.value + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (slack == 0) return memory;
  // What is too much before and behind the aligned part goes back.
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t aligned = (begin + alignment.value - 1) / alignment.value * alignment.value;
  const std::uintptr_t behind = begin + bytes.value + slack - (aligned + bytes.value);
  char* const kept = static_cast<char*>(memory) + (aligned - begin);
  if (aligned > begin) munmap(memory, aligned - begin);
  if (behind > 0) munmap(kept + bytes.value, behind);
  return kept;
}

}  // namespace lbhm::host
