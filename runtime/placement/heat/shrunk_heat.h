// What few samples say of a page, and what they do not: empirical Bayes.
#pragma once

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Samples of a page are counts of chance: of an object whose pages are all alike some pages have two and most have
/// none. The heat of each part of the pages, by task and object, moves towards the mean of the object: by as much as
/// the spread of the samples is what chance alone makes of equal pages. Pages without a sample get their part of it,
/// too.
///
/// Source: R. J. Marshall, "Mapping disease and mortality rates using empirical Bayes estimators", Applied Statistics
/// 40(2), 1991, section 3 (the global estimator, by moments): of r_i = n_i / p_i, n_i samples on p_i pages, with mean
/// m = sum n / sum p and variance s2 = sum p_i (r_i - m)^2 / sum p, the estimate is m + A (r_i - m) / (A + m / p_i),
/// A = s2 - m K / sum p for K parts, 0 if that is negative.
///
/// Totals of tasks and objects stay. Tasks that it is not known of how many samples they rest on stay as they are.
void shrink_heat(PhaseForecast& phase);

}  // namespace lbhm::placement
