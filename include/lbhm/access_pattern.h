// The kinds of access patterns, and their names in compiled patterns: section 4 of the Merchandiser paper, after
// Spindle. C++.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace lbhm
