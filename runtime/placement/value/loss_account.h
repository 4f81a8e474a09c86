// What may be lost against first touch.
#pragma once

#include "runtime/base/units.h"

namespace lbhm::placement {

/// In nanoseconds of the program's end. It begins with a credit, and a small part of the time comes to it; copies and
/// samples are paid from it. Each sample on a page that is not where first touch would have it says what that gained or
/// lost, in the mean.
class LossAccount {
 public:
  void begin(double credit) { sum_ = credit; }
  void pass(Nanoseconds time) { sum_ += time.value * may_be_lost; }
  void pay(double cost) { sum_ -= cost; }
  void realise(double gain) { sum_ += gain; }
  double holds() const { return sum_; }

 private:
  static constexpr double may_be_lost = 0.02;  ///< of the time. Assumption
  double sum_ = 0;
};

}  // namespace lbhm::placement
