// What few samples say of a page, and what they do not: empirical Bayes.
#pragma once

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Samples of a page are counts of chance: of an object whose pages are all alike some pages have two and most have
/// none. The heat of each stretch of pages moves towards what would be expected without its samples: by as much as the
/// spread of the samples is what chance alone makes of equal pages. Pages without a sample get their part of it, too.
/// First that of all tasks together, towards the mean of the object; then that of each task, towards what all tasks
/// make of the object. So a page that all use a little is as sure as one that a single task uses much.
///
/// Source: R. J. Marshall, "Mapping disease and mortality rates using empirical Bayes estimators", Applied Statistics
/// 40(2), 1991, section 3 (the global estimator, by moments): of r_i = n_i / p_i, n_i samples where p_i are expected
/// (for the object: its pages), with mean m = sum n / sum p and variance s2 = sum p_i (r_i - m)^2 / sum p, the estimate
/// is m + A (r_i - m) / (A + m / p_i), A = s2 - m K / sum p for K stretches, 0 if that is negative.
///
/// Totals of tasks and objects stay. Tasks that it is not known of how many samples they rest on stay as they are.
void shrink_heat(ScopeForecast& scope);

}  // namespace lbhm::placement
