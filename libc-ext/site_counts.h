// What all threads together ask for at a site in small blocks.
//
// A site may have arenas when that is the setting arena_minimum (SICM, Olson et al., ACM TACO 2022, section 4.1.1: "the
// runtime also keeps track of the cumulative size of the data allocated at each allocation context"). A thread adds
// what it asks for in parts of a sixteenth of the minimum: so threads seldom write to the same line, and of what any of
// them asked for less than a part is missing.
//
// In virtual time nothing is added: which thread adds the last part would be chance. There a part is smaller, as many
// as there are lanes, and a lane with one may have arenas, as if the others had asked for as much.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lbhm::heap {

inline constexpr std::size_t most_parts = 16;

struct Arena;

struct alignas(64) SiteCount {
  std::atomic<std::uint64_t> site;  ///< 0: of none yet
  std::atomic<std::uint64_t> asked;
  std::atomic<bool> has_minimum;
  std::atomic<Arena*> without_owner;  ///< arenas of threads that have ended
};

/// Null: there are too many sites.
SiteCount* count_of(std::uint64_t site);

/// A thread asked for so many bytes more.
bool may_have_arenas(SiteCount& count, std::uint64_t bytes, std::uint64_t minimum);

}  // namespace lbhm::heap
