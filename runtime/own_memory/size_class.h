// The sizes that small blocks have.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace lbhm::own_memory {

inline constexpr std::size_t grain = 16;             ///< smallest size, and alignment of all blocks
inline constexpr std::size_t largest_small = 16384;  ///< larger blocks have slots of their own
inline constexpr std::size_t steps_a_doubling = 4;   ///< so at most a fifth of a block is unused
inline constexpr std::size_t fine_sizes = 8;         ///< 16, 32, ... 128
inline constexpr std::size_t size_classes = fine_sizes + 7 * steps_a_doubling;

constexpr std::size_t class_of(std::size_t bytes) {
  if (bytes <= fine_sizes * grain) return bytes == 0 ? 0 : (bytes - 1) / grain;
  const auto doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 128 < bytes: 7 and more
  const std::size_t step = (std::size_t{1} << doubling) / steps_a_doubling;
  return fine_sizes + (doubling - 7) * steps_a_doubling + (bytes - 1 - (std::size_t{1} << doubling)) / step;
}

constexpr std::size_t size_of_class(std::size_t number) {
  if (number < fine_sizes) return (number + 1) * grain;
  const std::size_t doubling = 7 + (number - fine_sizes) / steps_a_doubling;
  const std::size_t step = (std::size_t{1} << doubling) / steps_a_doubling;
  return (std::size_t{1} << doubling) + ((number - fine_sizes) % steps_a_doubling + 1) * step;
}

static_assert(class_of(128) == 7 && class_of(129) == 8 && size_of_class(8) == 160);
static_assert(class_of(largest_small) == size_classes - 1 && size_of_class(size_classes - 1) == largest_small);

}  // namespace lbhm::own_memory
