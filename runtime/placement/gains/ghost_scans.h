// Whether MemoryOptimizer's scans would serve a program better than what places its pages now. The scans run all the
// same, and what they would move is moved on paper only, as ghost caches keep a directory of what another rule would
// hold (Megiddo, Modha, "ARC: A Self-Tuning, Low Overhead Replacement Cache", FAST '03). Each sampled access is a vote:
// for whoever has its page in fast memory, where the other has not.
#pragma once

#include <span>

#include "runtime/base/values.h"
#include "runtime/placement/gains/gain_watch.h"
#include "runtime/placement/placement.h"
#include "runtime/placement/scans/optimizer_scans.h"

namespace lbhm::placement {

class GhostScans {
 public:
  /// Of the samples that are remembered, so many at least, and such a part on which the two differ, before anything is
  /// said. Assumptions: fewer decide by chance; where nearly all pages are as good, nothing is to be gained.
  static constexpr double least_samples = 200, least_different = 0.05;
  /// What a wake-up leaves out of what was seen before: phases come and go within some tens. An assumption.
  static constexpr double forgotten = 1.0 / 32;
  /// Wake-ups without a plan before it begins: looks cost the program translations, and what is learnt from a base
  /// instance is worse where scans move pages, so both wait until samples alone have had their time. An assumption.
  static constexpr std::uint64_t patience = 64;
  /// Wake-ups for which the scans place the pages the first time, twice as many the next time, and so on: then there is
  /// a new vote, for the program may do something else. An assumption.
  static constexpr std::uint64_t first_turn = 256;
  /// The first wake-ups of the first turn are a trial: on paper pages move at once and for nothing, in truth they do
  /// not. With fewer accesses in fast memory than before the turn is over. An assumption.
  static constexpr std::uint64_t trial = 64;
  /// Wake-ups without a vote after such a trial, twice as many the next time, and so on. An assumption.
  static constexpr std::uint64_t first_rest = 256;

  explicit GhostScans(double pace) : pace_(pace), scans_(pace, OptimizerScans::Moves::on_paper) {}

  /// The scans place the pages.
  bool lead() const { return turn_ > 0; }
  /// There is a plan.
  void end_turn();
  /// At every interval at which there is none and they do not lead: they look at the pages.
  void look(PolicyContext& context, AccessedWatch& watch);
  /// At every wake-up without a plan, with its samples: votes, or time passes.
  void wake_up(std::span<const AccessSample> samples, Bytes page);

 private:
  bool convinced(std::span<const AccessSample> samples, Bytes page);
  void go_on();
  void give_up();
  void start_anew();

  double pace_;
  OptimizerScans scans_;
  double for_ = 0, against_ = 0, all_ = 0;  ///< samples: fast on paper only, fast in truth only, all
  std::uint64_t waited_ = 0;                ///< wake-ups without a plan
  std::uint64_t turn_ = 0, next_turn_ = first_turn;
  std::uint64_t trial_ = 0;  ///< wake-ups until it is judged
  bool proved_ = false;      ///< a trial did no harm
  std::uint64_t rest_ = 0, next_rest_ = first_rest;
  FastShare share_;     ///< of the last wake-ups
  double without_ = 0;  ///< that share when the turn began
};

}  // namespace lbhm::placement
