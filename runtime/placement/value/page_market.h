// Which pages change places: what they are expected to be worth, what copies cost, and what may be lost against first
// touch.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/placement/placement.h"
#include "runtime/placement/value/page_values.h"
#include "runtime/placement/value/residents.h"

namespace lbhm::placement {

/// Exchanges, as long as they gain more than they cost, and as long as the account against first touch (loss_account.h)
/// pays for them and for the way back of all pages that are away.
class PageMarket {
 public:
  class Moves;
  struct Terms {
    Bytes page{};
    double exchange = 0;  ///< what copies of two pages cost, nanoseconds of the end
    Nanoseconds horizon;  ///< over which what pages are worth counts
    double trust = 0;     ///< in the plan, from 0 to 1
    double reserve = 0;   ///< pages of fast memory that are kept free at most, for those that appear
    double account = 0;   ///< nanoseconds of the end that may be lost against first touch
  };

  PageMarket(const PageValues& values, const Residents& residents, const RangeMap<bool>& chosen, const Terms& terms)
      : values_(values), residents_(residents), chosen_(chosen), terms_(terms) {}

  /// The best that are slow for the worst that are fast, as long as the account covers the way back of what is away.
  /// Where it does not, everything goes back.
  MigrationPlan trade(Machine& machine);
  /// Runs of pages and pages with evidence.
  std::uint64_t looks() const { return looks_; }

 private:
  /// Neighbouring pages that are worth as much each, over the horizon.
  struct Offer {
    double worth = 0;
    std::uintptr_t address = 0;
    std::uint64_t pages = 0;
    bool away = false;
  };
  static bool later_of_fast(const Offer& a, const Offer& b);
  static bool later_of_slow(const Offer& a, const Offer& b);
  double worth(double rate, bool unwanted) const;
  void offer(std::uintptr_t begin, std::uintptr_t end, const Residents::Page& page, double worth);
  void offer_parts(std::uintptr_t begin, std::uintptr_t end, const Residents::Page& page, bool unwanted);
  void offer_range(std::uintptr_t begin, std::uintptr_t end, const Residents::Page& page);
  void collect(bool only_home);
  MigrationPlan go_home(Machine& machine) const;
  std::uint64_t take(std::vector<Offer>& from, std::uint64_t most, Moves& moves);
  void make_room(std::uint64_t& free, Moves& moves);
  bool buy(std::uint64_t& free, Moves& moves);

  const PageValues& values_;
  const Residents& residents_;
  const RangeMap<bool>& chosen_;
  Terms terms_;
  std::vector<Offer> fast_, slow_;  // heaps: the worst of fast, the best of slow memory first
  double slack_ = 0;                // what is left for moves away from home, their way back included
  std::uint64_t looks_ = 0;
};

}  // namespace lbhm::placement
