// What a program asks of an allocator.
#pragma once

#include <cstdint>

namespace lbhm::allocators {

struct Request {
  std::uint64_t bytes = 0;      ///< never 0: that is answered with null before
  std::uint64_t alignment = 0;  ///< a power of two or 0; every block is aligned to 16 at least
  bool zeroed = false;
};

}  // namespace lbhm::allocators
