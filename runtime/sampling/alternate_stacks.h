// Alternate signal stacks: the kernel writes to them before any handler runs, so they are never armed.
#pragma once

#include <cstdint>
#include <vector>

namespace lbhm::sampling {

struct StackRange {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};

/// Those that watching::alternate_stack() told of.
std::vector<StackRange> alternate_stacks();

}  // namespace lbhm::sampling
