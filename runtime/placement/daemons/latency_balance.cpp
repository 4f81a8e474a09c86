#include "runtime/placement/daemons/latency_balance.h"

#include <cmath>

namespace lbhm::placement {

void LatencyBalance::OneTier::observe(const Load& load) {
  occupancy = newest * load.accesses.value * load.latency.value + (1 - newest) * occupancy;
  accesses = newest * load.accesses.value + (1 - newest) * accesses;
}

void LatencyBalance::observe(const Load& fast, const Load& slow) {
  fast_.observe(fast);
  slow_.observe(slow);
  const double total = fast_.accesses + slow_.accesses;
  shift_ = 0;
  if (total <= 0) return;
  const double difference = std::abs(fast_.latency().value - slow_.latency().value);
  if (difference <= delta * fast_.latency().value) return;

  const double p = fast_.accesses / total;
  const bool up = fast_is_faster();
  if (up) {
    low_ = p;
    if (high_ <= low_) high_ = 1;
  } else {
    high_ = p;
    if (low_ >= high_) low_ = 0;
  }
  if (high_ - low_ < epsilon) (up ? high_ : low_) = up ? 1 : 0;  // the balance has moved: search again
  shift_ = std::abs((low_ + high_) / 2 - p);
}

}  // namespace lbhm::placement
