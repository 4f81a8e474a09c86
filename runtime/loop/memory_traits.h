// Part of the door of runtime/loop: what a program says of memory that it asks for.
#pragma once

#include <cstdint>
#include <optional>

#include "lbhm/access_pattern.h"
#include "runtime/base/values.h"

namespace lbhm {

/// What the custom traits of an allocator ask for (omp_traits.h).
struct MemoryTraits {
  bool managed = false;
  bool migratable = true;
  // Hints at tiers by what they are good at, whatever their numbers.
  static constexpr int slowest = 255, highest_bandwidth = 256, lowest_latency = 257;
  int tier_hint = -1;                    ///< -1: none
  bool exact = false;                    ///< no memory rather than memory of another tier than the hint's
  std::optional<PatternKind> pattern{};  ///< the hint; nothing: none
  Sensitivity sensitivity = Sensitivity::none;
  std::optional<std::uint32_t> group{};
  const char* name = nullptr;  ///< copied
  bool header = false;         ///< the page in front of the object is the caller's, for a header; not in virtual time
};

}  // namespace lbhm
