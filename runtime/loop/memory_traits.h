// Part of the door of runtime/loop: what a program says of memory that it asks for.
#pragma once

#include <optional>

#include "lbhm/access_pattern.h"

namespace lbhm {

/// What the custom traits of an allocator ask for (omp_traits.h).
struct MemoryTraits {
  bool managed = false;
  bool migratable = true;
  static constexpr int slowest = 255;    ///< as a hint: the last tier, whatever its number
  int tier_hint = -1;                    ///< -1: none
  bool exact = false;                    ///< no memory rather than memory of another tier than the hint's
  std::optional<PatternKind> pattern{};  ///< the hint; nothing: none
  const char* name = nullptr;            ///< copied
};

}  // namespace lbhm
