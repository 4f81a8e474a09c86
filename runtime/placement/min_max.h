// Which pages make the last task end earliest, moves included.
#pragma once

#include <cstdint>
#include <vector>

#include "lbhm/placement.h"
#include "runtime/placement/cover.h"
#include "runtime/placement/layout.h"

namespace lbhm::placement {

struct MinMax {
  std::vector<std::uint64_t> pages;  ///< of each run, that should be fast
  Nanoseconds end;                   ///< when the last task ends then, as predicted
  Nanoseconds before;                ///< and if nothing moves
};

/// The earliest end that fits into fast memory is found by bisection; between it and the end without any copy, the one
/// is chosen for which (end x instances that the pages will serve) + (copies x their cost) is smallest.
/// `copy_cost`: what copying one page costs the program.
MinMax min_max(const ScopeForecast& scope, Cover& cover, const Layout& layout, Nanoseconds copy_cost);

}  // namespace lbhm::placement
