
#include "runtime/placement/whole_objects/object_profile.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lbhm::placement {
namespace {

/// rank_objs_r of proc_obj_e.py: below 80 cycles there is memory-level parallelism. Objects with a large share of the
/// accesses of such a window count less by `factor`, those with a small share more.
struct Parallelism {
  double above;  ///< cycles
  double factor, small, large;
};
constexpr std::array parallelism{Parallelism{80, 1, 0, 1}, Parallelism{60, 2, 0.4, 0.6}, Parallelism{45, 4, 0.03, 0.7},
                                 Parallelism{40, 8, 0.03, 0.7}, Parallelism{-1, 12, 0.03, 0.7}};

/// Predicted slowdown of a window in slow memory: stalls a cycle over (24.67 / AOL + 0.87).
double slowdown(const ScoreWindow& window, double latency) {
  if (latency <= 0 || window.events.cycles <= 0) return 0;
  const double stalls = window.events.memory_wait_cycles / window.events.cycles * window.latency_ratio;
  return stalls / (24.67 / latency + 0.87);
}

EventCounts operator-(EventCounts now, const EventCounts& before) {
  now.cycles -= before.cycles;
  now.memory_wait_cycles -= before.memory_wait_cycles;
  now.l3_load_misses -= before.l3_load_misses;
  now.load_cycles -= before.load_cycles;
  return now;
}

/// How much faster a load would be in idle fast memory.
double latency_ratio(const Topology& machine, const std::vector<AccessSample>& samples) {
  double sum = 0, loads = 0;
  for (const AccessSample& sample : samples) {
    if (sample.write) continue;
    sum += sample.latency.value;
    loads += 1;
  }
  return sum > 0 ? machine.tiers[0].latency_random.value / (sum / loads) : 1;
}

}  // namespace

void ObjectScores::add(const ScoreWindow& window) {
  double all = 0;
  for (const auto& [object, count] : window.accesses) all += count;
  if (all <= 0) return;
  const double latency = amortised_latency(window);
  const double expected = slowdown(window, latency);
  const Parallelism* row = parallelism.data();
  while (latency <= row->above) ++row;
  for (const auto& [object, count] : window.accesses) {
    const double share = count / all;
    double score = share * expected;
    if (share >= row->large) score /= row->factor;
    if (share < row->small) score *= row->factor;
    scores_[object] += score;
  }
}

bool ObjectProfile::phase_begins(std::span<const PlacedObject> objects) {
  const std::lock_guard lock(lock_);
  std::vector<std::string> names;
  for (const PlacedObject& object : objects) {
    names.push_back(object.name.empty() ? "object " + std::to_string(names.size()) : std::string(object.name));
    Bearer& bearer = objects_[names.back()];
    if (const auto old = names_.starting(bearer.address); old != names_.end() && old->second.value == names.back())
      names_.erase(old);
    bearer = {object.address, object.bytes};
    names_.set(object.address, object.address + object.bytes.value, names.back());
    if (!complete_) profiled_[names.back()] = object.bytes;
  }
  if (!lists_.insert(std::move(names)).second) complete_ = true;
  return complete_;
}

void ObjectProfile::window(Machine& machine) {
  std::vector<AccessSample> samples;
  machine.samples()->drain(samples);
  const auto now = machine.all_events();
  const std::lock_guard lock(lock_);
  if (complete_ || !now) return;
  if (before_) {
    scores_.add({.events = *now - *before_,
                 .latency_ratio = latency_ratio(machine.topology(), samples),
                 .accesses = accesses_of(samples)});
  }
  before_ = now;
}

std::map<std::string, double> ObjectProfile::accesses_of(const std::vector<AccessSample>& samples) const {
  std::map<std::string, double> accesses;
  for (const AccessSample& sample : samples) {
    if (const auto object = names_.find(sample.address); object != names_.end()) accesses[object->second.value] += 1;
  }
  return accesses;
}

std::vector<ObjectProfile::Ranked> ObjectProfile::ranked() const {
  const std::lock_guard lock(lock_);
  std::vector<Ranked> ranked;
  for (const auto& [name, object] : objects_) {
    const auto profiled = profiled_.find(name);
    const double bytes = profiled == profiled_.end() ? 0 : static_cast<double>(profiled->second.value);
    ranked.push_back({name, object, bytes > 0 ? scores_.of(name) / bytes : 0});
  }
  std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) {
    return std::tie(b.score_per_byte, a.name) < std::tie(a.score_per_byte, b.name);
  });
  return ranked;
}

}  // namespace lbhm::placement
