// With which pattern a task accesses an object: section 4 of the Merchandiser paper, after Spindle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/base/units.h"

namespace lbhm {

/// The paper's four patterns, its random one told apart, and one place that no loop moves away from.
enum class PatternKind : std::uint8_t {
  fixed,    ///< the same address in all iterations
  stream,   ///< element by element: delta, reduction, and transpose, whose loops together leave no element out
  strided,  ///< a constant step larger than an element
  stencil,  ///< neighbours of the element that the loops are at
  gather,   ///< reads where another access says
  scatter,  ///< writes where another access says
  chase,    ///< reads where the last read of the same kind says
  unknown,  ///< treated as random
};

inline constexpr std::array<const char*, 8> pattern_names{"fixed",  "stream",  "strided", "stencil",
                                                          "gather", "scatter", "chase",   "unknown"};

constexpr const char* name_of(PatternKind kind) { return pattern_names[static_cast<std::size_t>(kind)]; }

/// True for what the paper calls random: alpha is refined from samples.
constexpr bool is_random(PatternKind kind) { return kind >= PatternKind::gather; }

/// One pattern of one object in one task.
struct AccessPattern {
  PatternKind kind = PatternKind::unknown;
  Bytes element{8};              ///< of one access
  std::int64_t stride = 0;       ///< bytes from one access to the next, signed; 0 if there is no constant one
  std::uint32_t dimensions = 0;  ///< stencil: 1, 2 or 3, in how many directions its neighbours lie
  std::uint32_t points = 0;      ///< stencil: how many elements it reads, 5 for the 5-point stencil
  bool input_dependent = false;  ///< stencil: where its neighbours lie depends on data
  bool write = false;
  double weight = 1;  ///< share of the task's accesses to the object, before caches; of all patterns together 1
};

}  // namespace lbhm
