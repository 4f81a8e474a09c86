// Units that are placed as one: objects that the user says belong together (lbhm_group), or all that a site asks for.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {

/// Units, with when they are born and die, by unit.
struct Lives {
  std::vector<PhasedUnit> units;
  std::vector<Nanoseconds> born, dies;
};

class Together {
 public:
  /// `mark`, by unit: units of one mark, 0 excepted, are one. It lives from the first birth to the last death, is as
  /// large as the most that is there at one time, is worth what they are worth together, and stays if one of them does.
  Together(const Lives& parts, const std::vector<std::uint64_t>& mark);
  const Lives& joined() const { return joined_; }
  /// What was chosen for joined units, of the parts: each is born where its unit is by then, and moves with it.
  PhasedChoice of_parts(const PhasedChoice& chosen) const;

 private:
  const Lives& parts_;
  std::vector<std::size_t> unit_of_;  // by part
  Lives joined_;
};

}  // namespace lbhm::choose
