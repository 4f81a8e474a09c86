#include "runtime/phases/found_phases.h"

namespace lbhm {
namespace {

/// Another anchor makes another phase, of which nothing is known yet: it has to suit so many times better. An
/// assumption, as is the next one.
constexpr double much = 2;
/// An anchor that has not come for so many of its intervals is given up: the program does something else.
constexpr double overdue = 4;

}  // namespace

/// Than the anchor.
bool FoundPhases::suits_better(const Seen& region, Nanoseconds now, Nanoseconds least) const {
  if (!anchor_) return true;
  const Seen& anchor = seen_[*anchor_];
  const Nanoseconds had = anchor.interval(), found = region.interval();
  if (now - anchor.last > overdue * had) return true;
  if (had < least) return found > much * had;
  return found >= least && much * found < had;
}

bool FoundPhases::begins(std::uint32_t region, Nanoseconds now, Nanoseconds least) {
  if (seen_.size() <= region) seen_.resize(region + 1);
  Seen& seen = seen_[region];
  if (seen.times++ == 0) seen.first = now;
  seen.last = now;
  if (seen.times == 2) ++recurring_;
  if (seen.times > 1 && anchor_ != region && suits_better(seen, now, least)) anchor_ = region;
  // As long as nothing has come twice, it may be that what begins now will.
  const bool may_begin = anchor_ ? anchor_ == region : seen.times == 1;
  if (!may_begin || (begun_ && now - *begun_ < least)) return false;
  begun_ = now;
  return true;
}

}  // namespace lbhm
