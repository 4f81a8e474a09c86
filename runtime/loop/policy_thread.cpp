#include "runtime/loop/policy_thread.h"

#include <string>
#include <vector>

#include "runtime/base/guarded.h"
#include "runtime/loop/decision_cost.h"

namespace lbhm {
namespace {

class Context final : public PolicyContext {
 public:
  Context(Machine& machine, const ObjectRegistry& objects, SampleFeed& samples, FoundPages& found, Actor& actor,
          PageTracker& pages, Recorder& recorder, const Lanes* lanes)
      : machine_(machine),
        objects_(objects),
        samples_(samples),
        found_(found),
        actor_(actor),
        pages_(pages),
        recorder_(recorder),
        lanes_(lanes) {}

  Machine& machine() override { return machine_; }

  std::vector<PlacedObject> objects() override {
    if (managed_.empty()) managed_ = objects_.all();
    std::vector<PlacedObject> objects;
    for (const Object& object : managed_) {
      if (object.migratable) objects.push_back({object.address, object.bytes, object.name, object.site, object.nth});
    }
    return objects;
  }

  PagePlacement placement() override {
    const std::uint64_t before = pages_.asked();
    PagePlacement found = pages_.placement(objects_);
    machine_.execution().pass(per_page * static_cast<double>(pages_.asked() - before));
    return found;
  }
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override {
    pages_.where(objects_, pages, out);
  }

  void decided(Nanoseconds time) override {
    if (!machine_.execution().virtual_time()) return;  // what was counted is no measurement
    machine_.execution().pass(time);
    recorder_.decided(time);
  }

  std::optional<RunningRegion> running() override { return lanes_ ? lanes_->running() : std::nullopt; }

  void samples(std::vector<AccessSample>& out) override { samples_.read(SampleFeed::Reader::intervals, out); }

  AccessCount sample_period() override { return samples_.period(); }

  void sample_every(AccessCount period) override { samples_.change_period(period); }

  void found(std::span<const std::uintptr_t> pages) override { found_.add(pages); }

  MoveReport migrate(const MigrationPlan& plan) override { return actor_.carry_out_at_interval(plan); }

 private:
  Machine& machine_;
  const ObjectRegistry& objects_;
  SampleFeed& samples_;
  FoundPages& found_;
  Actor& actor_;
  PageTracker& pages_;
  Recorder& recorder_;
  const Lanes* lanes_;
  std::vector<Object> managed_;  // keeps the names that objects() refers to
};

}  // namespace

bool PolicyThread::can_act(const Needs& needs) const {
  if (!needs.interval) return false;
  const PageObserver* const observer = machine_.observer();
  if (!needs.observer || (observer && (observer->sees_hint_faults() || !needs.hint_faults))) return true;
  if (needs.samples_will_do && samples_.any()) {
    say("policy " + std::string(policy_.name()) + ": machine " + machine_.topology().name +
        " does not watch pages, so samples alone say which pages are accessed (docs/policies.md)");
    return true;
  }
  say("policy " + std::string(policy_.name()) + ": machine " + machine_.topology().name +
      " does not watch pages, so nothing moves after the first touch; use an emulated machine, or allow hint faults "
      "by LBHM_HINT_FAULTS=on, with which a system call on managed memory may fail inside of a parallel region "
      "(docs/sampling.md)");
  return false;
}

Status PolicyThread::begin(const Needs& needs) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): can_act() has said that there is one
  return machine_.every(*needs.interval, [this] { tick(); });
}

void PolicyThread::tick() {
  if (objects_.version() > 0) samples_.wake();
  Context context(machine_, objects_, samples_, found_, actor_, pages_, recorder_, lanes_);
  policy_.on_interval(context);
  if (timeline_) timeline_->look();
}

}  // namespace lbhm
