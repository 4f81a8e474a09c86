// Policies that act while the program runs.
#pragma once

#include <atomic>
#include <span>

#include "runtime/machine/machine.h"
#include "runtime/migration/actor.h"
#include "runtime/objects/objects.h"
#include "runtime/pages/page_tracker.h"
#include "runtime/phases/lanes.h"
#include "runtime/placement/placement.h"
#include "runtime/record/timeline.h"
#include "runtime/sampling/found_pages.h"
#include "runtime/sampling/sample_feed.h"

namespace lbhm {

/// Where pages are, for the thread below: the loop has a tracker of its own. It follows nothing until somebody asks.
class FollowedPages {
 public:
  explicit FollowedPages(Machine& machine) : machine_(machine), tracker_(machine) {}
  /// Pages that the machine was asked to move. Any thread.
  void moved(std::span<const std::uintptr_t> pages) {
    if (asked_.load(std::memory_order_relaxed)) tracker_.moved(pages);
  }
  // From the thread of the policy.
  /// Which it costs time.
  const PagePlacement& placement(const ObjectRegistry& objects);
  void where(const ObjectRegistry& objects, std::span<const std::uintptr_t> pages, std::span<TierId> out) {
    asked_.store(true, std::memory_order_relaxed);
    tracker_.where(objects, pages, out);
  }

 private:
  Machine& machine_;
  std::atomic<bool> asked_{false};
  PageTracker tracker_;
};

/// Calls Policy::on_interval, and gives it what it sees. Takes no lock of the loop: a thread of the program may hold it
/// while it waits for the duty to end.
class PolicyThread {
 public:
  PolicyThread(Machine& machine, Policy& policy, ObjectRegistry& objects, SampleFeed& samples, FoundPages& found,
               Actor& actor)
      : machine_(machine),
        policy_(policy),
        objects_(objects),
        samples_(samples),
        found_(found),
        actor_(actor),
        pages_(machine) {}

  /// Before begin: knows which region is under way.
  void attach(const Lanes& lanes) { lanes_ = &lanes; }
  /// Pages that the machine was asked to move. Any thread.
  void moved(std::span<const std::uintptr_t> pages) { pages_.moved(pages); }
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
  SampleFeed& samples_;
  FoundPages& found_;
  Actor& actor_;
  FollowedPages pages_;
  const Lanes* lanes_ = nullptr;
  Timeline* timeline_ = nullptr;
};

}  // namespace lbhm
