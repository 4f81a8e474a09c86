// Plans and candidates for the tests of migration.
#pragma once

#include "runtime/migration/migration.h"

namespace lbhm {

inline constexpr TierId fast{0}, slow{1};
inline constexpr std::uint64_t page_size = 4096;
inline constexpr std::uintptr_t base = 0x10000000;

/// Address of the n-th page of the tests.
inline std::uintptr_t page_at(std::uint64_t n) { return base + n * page_size; }
inline Bytes of_pages(std::uint64_t n) { return Bytes(n * page_size); }

inline PageMove move_of(std::uint64_t first, std::uint64_t pages, TierId to) {
  return {.address = page_at(first), .bytes = of_pages(pages), .to = to};
}

inline EvictionCandidate candidate(std::uint64_t first, std::uint64_t pages, double per_page) {
  return {.address = page_at(first), .bytes = of_pages(pages), .per_page = AccessCount(per_page)};
}

}  // namespace lbhm
