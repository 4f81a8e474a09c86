// Policies that act while the program runs.
#pragma once

#include "runtime/machine/machine.h"
#include "runtime/migration/actor.h"
#include "runtime/objects/objects.h"
#include "runtime/pages/page_tracker.h"
#include "runtime/phases/lanes.h"
#include "runtime/placement/placement.h"
#include "runtime/record/recorder.h"
#include "runtime/record/timeline.h"
#include "runtime/sampling/found_pages.h"
#include "runtime/sampling/sample_feed.h"

namespace lbhm {

/// Calls Policy::on_interval, and gives it what it sees. Takes no lock of the loop: a thread of the program may hold it
/// while it waits for the duty to end.
class PolicyThread {
 public:
  PolicyThread(Machine& machine, Policy& policy, ObjectRegistry& objects, PageTracker& pages, SampleFeed& samples,
               FoundPages& found, Actor& actor, Recorder& recorder)
      : machine_(machine),
        policy_(policy),
        objects_(objects),
        pages_(pages),
        samples_(samples),
        found_(found),
        actor_(actor),
        recorder_(recorder) {}

  /// Before begin: knows which region is under way.
  void attach(const Lanes& lanes) { lanes_ = &lanes; }
  /// Before begin: looks each time after the policy has acted.
  void show(Timeline& timeline) { timeline_ = &timeline; }
  /// True if the policy wants to act at intervals and this machine shows it what it looks at; else a line says why.
  bool can_act(const Needs& needs) const;
  /// From now on, at the interval that the policy needs. Errors: those of Machine::every.
  Status begin(const Needs& needs);

 private:
  void tick();

  Machine& machine_;
  Policy& policy_;
  ObjectRegistry& objects_;
  PageTracker& pages_;
  SampleFeed& samples_;
  FoundPages& found_;
  Actor& actor_;
  Recorder& recorder_;
  const Lanes* lanes_ = nullptr;
  Timeline* timeline_ = nullptr;
};

}  // namespace lbhm
