// Which pages tasks use, as later instances show it.
#pragma once

#include "runtime/base/values.h"

namespace lbhm {

/// Changes how the base profile spreads each task's accesses over the pages of each object: half as before, half as in
/// `instance`, whose pages stand for those at the same part of the base object. The totals, which Eq. 1 starts from,
/// stay; an object that the base instance did not use gets the instance's total, scaled by its size.
void follow_pages(PhaseProfile& base, const PhaseProfile& instance, Bytes page);

}  // namespace lbhm
