#include "runtime/engine/surroundings.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "runtime/migration/migration.h"

namespace lbhm::engine {
namespace {

// Samples kept for an on_interval() that does not come, because the machine lost its daemon (assumption: more than any
// interval brings).
constexpr std::size_t most_untapped = 1u << 20;

std::vector<TierId> order_with(const Engine& e, TierId first) {
  std::vector<TierId> order{first};
  for (const TierId tier : e.needs.first_touch)
    if (tier != first) order.push_back(tier);
  return order;
}

/// Takes no lock of the engine: a thread of the program may hold it while it waits for the duty to end.
class EngineContext final : public PolicyContext {
 public:
  explicit EngineContext(Engine& e) : e_(e) {}

  Machine& machine() override { return *e_.machine; }

  std::vector<PlacedObject> objects() override {
    if (managed_.empty()) managed_ = e_.registry.all();
    std::vector<PlacedObject> objects;
    for (const Object& object : managed_) {
      if (object.migratable) objects.push_back({object.address, object.bytes, object.name});
    }
    return objects;
  }

  void samples(std::vector<AccessSample>& out) override {
    const std::lock_guard lock(e_.tap);
    out.insert(out.end(), e_.untapped.begin(), e_.untapped.end());
    e_.untapped.clear();
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    if (SampleSource* const source = e_.machine->samples()) e_.lost_at_intervals += source->drain(out);
    if (e_.needs.forecast) e_.tapped.insert(e_.tapped.end(), out.begin() + first, out.end());
  }

  MoveReport migrate(const MigrationPlan& plan) override {
    MoveReport report = carry_out(*e_.machine, plan, {});
    e_.moved_at_intervals.fetch_add(report.moved.value, std::memory_order_relaxed);
    return report;
  }

 private:
  Engine& e_;
  std::vector<Object> managed_;  // keeps the names that objects() refers to
};

}  // namespace

namespace {

/// What LB_HM_config and the first touch do remains.
Status do_without_thread(Engine& e, const Status& refusal) {
  e.ticking = false;
  say("pages move only while LB_HM_config is called: " + refusal.message());
  return {};
}

bool watches_as_needed(const Engine& e) {
  if (!e.needs.observer) return true;
  const PageObserver* const observer = e.machine->observer();
  return observer && (observer->sees_hint_faults() || !e.needs.hint_faults);
}

}  // namespace

Status tick_at_intervals(Engine& e) {
  if (!e.placing) return {};
  // In real time what LB_HM_config leaves goes there, too.
  if (e.needs.background || !e.machine->execution().virtual_time()) {
    if (const Status status = e.mover.start(*e.machine); !status.ok()) return do_without_thread(e, status);
  }
  const auto interval = e.needs.interval;
  e.ticking = interval.has_value();
  if (!interval) return {};
  if (!watches_as_needed(e)) {
    say("policy " + std::string(e.policy->name()) + ": machine " + e.machine->topology().name +
        " does not watch pages, so nothing moves after the first touch; use an emulated machine, or allow hint faults "
        "by LBHM_HINT_FAULTS=on, with which a system call on managed memory may fail inside of a parallel region "
        "(docs/sampling.md)");
    return {};
  }
  const Status status = e.machine->every(*interval, [&e] {
    EngineContext context(e);
    e.policy->on_interval(context);
  });
  return status.ok() ? status : do_without_thread(e, status);
}

namespace {

/// Samples without a latency (page faults) count with what their memory takes when it is idle: without one they would
/// say that nobody waits for memory, and nothing would be worth a move.
void add_latencies(const Topology& topology, std::span<AccessSample> samples) {
  for (AccessSample& sample : samples) {
    if (!(sample.latency.value > 0) && sample.tier.value < topology.tiers.size())
      sample.latency = topology.tiers[sample.tier.value].latency_random;
  }
}

}  // namespace

std::uint64_t take_samples(Engine& e, std::vector<AccessSample>& out) {
  SampleSource* const source = e.machine->samples();
  // The samples of policies without forecast are their own: on_interval() takes them.
  if (!source || !e.needs.forecast) return 0;
  const std::lock_guard lock(e.tap);
  out.insert(out.end(), e.tapped.begin(), e.tapped.end());
  e.tapped.clear();
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  const std::uint64_t lost = source->drain(out) + std::exchange(e.lost_at_intervals, 0);
  add_latencies(e.machine->topology(), std::span(out).subspan(static_cast<std::size_t>(first)));
  if (e.ticking && e.untapped.size() < most_untapped)
    e.untapped.insert(e.untapped.end(), out.begin() + first, out.end());
  return lost;
}

void set_preferred_tier(Engine& e, const MigrationPlan& plan) {
  for (const PageMove& move : plan.moves) {
    if (Status status = e.machine->prefer(move.address, move.bytes, order_with(e, move.to)); !status.ok())
      say(status.message());
  }
}

void place_new(Engine& e, std::uintptr_t address, Bytes bytes, const char* name) {
  const std::lock_guard lock(e.births);
  const MigrationPlan plan = e.policy->on_object({e.born++, {address, bytes, name ? name : ""}});
  set_preferred_tier(e, plan);
}

MoveReport move_in_time(Engine& e, const MigrationPlan& plan, std::span<const EvictionCandidate> candidates,
                        MigrationPlan& left) {
  MigrationOptions options{.tiers = e.needs.first_touch};
  if (!e.machine->execution().virtual_time())
    options.most_time = std::chrono::nanoseconds(std::llround(e.settings.move_time * 1e6));
  return carry_out(*e.machine, plan, candidates, options, &left);
}

}  // namespace lbhm::engine
