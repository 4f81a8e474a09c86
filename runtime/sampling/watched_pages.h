// Which pages a sampler watches where it cannot watch all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/sampling/samplers.h"

namespace lbhm::sampling {

/// Neighbours are watched together: one mprotect arms them. An assumption: sixteen make arming cheap, and still fall
/// into all parts of an object.
inline constexpr std::size_t block_pages = 16;

inline std::size_t pages_in(std::span<const ManagedRange> ranges, std::size_t page) {
  std::size_t pages = 0;
  for (const ManagedRange& range : ranges) pages += range.bytes.value / page;
  return pages;
}

/// About one in `step` of all pages, as blocks of neighbours spread over the ranges; other ones for another `rotation`.
inline std::vector<std::uintptr_t> choose_pages(std::span<const ManagedRange> ranges, std::size_t page,
                                                std::size_t step, std::size_t rotation) {
  std::vector<std::uintptr_t> chosen;
  std::size_t before = rotation % step;  // blocks of the ranges that lie in front
  for (const ManagedRange& range : ranges) {
    const std::size_t pages = range.bytes.value / page;
    const std::size_t blocks = (pages + block_pages - 1) / block_pages;
    for (std::size_t block = (step - before % step) % step; block < blocks; block += step) {
      const std::size_t end = std::min(pages, (block + 1) * block_pages);
      for (std::size_t i = block * block_pages; i < end; ++i) chosen.push_back(range.address + i * page);
    }
    before += blocks;
  }
  return chosen;
}

}  // namespace lbhm::sampling
