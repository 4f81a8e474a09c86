// What lbhm decides from a forecast: which pages are to be fast, and what that brings each task.
#pragma once

#include <cstdint>

#include "runtime/placement/layouts/best_layout.h"
#include "runtime/placement/layouts/cover.h"
#include "runtime/placement/placement.h"
#include "runtime/placement/policies/lbhm_parts.h"

namespace lbhm::policies {

class LbhmPlan {
 public:
  explicit LbhmPlan(const LbhmParts& parts) : parts_(parts) {}

  /// The pages with which the regions end earliest (min_max.h). `most_looks`: it ends the search after so many.
  Decision decide(const PhaseForecast& whole, std::uint64_t most_looks) const;
  /// To the pages of the best instance; what is predicted is what they bring.
  Decision go_back(const PhaseForecast& whole, const placement::BestLayout& best) const;
  /// Whatever comes to fast memory without a plan, comes while the tasks run: nothing is expected of it.
  static Decision without_plan(const PhaseForecast& phase);

 private:
  PhaseForecast as_far_as_known(const PhaseForecast& whole) const;
  Nanoseconds copy_cost(const PhaseForecast& phase) const;
  std::vector<Nanoseconds> plan_middle(const PhaseForecast& fastest, std::uint64_t most_looks,
                                       Decision& decision) const;
  Budget budget_of(const PhaseForecast& whole, const placement::Cover& cover, const placement::Chosen& chosen) const;

  const LbhmParts& parts_;
};

}  // namespace lbhm::policies
