#include "runtime/placement/object_profile.h"

#include <algorithm>
#include <tuple>

namespace lbhm::placement {
namespace {

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

bool ObjectProfile::phase_begins(std::span<const PlacedObject> objects) {
  const std::lock_guard lock(lock_);
  std::vector<std::string> names;
  for (const PlacedObject& object : objects) {
    names.push_back(object.name.empty() ? "object " + std::to_string(names.size()) : std::string(object.name));
    objects_[names.back()] = {object.address, object.bytes};
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
  std::map<std::uintptr_t, const std::map<std::string, Known>::value_type*> by_address;
  for (const auto& object : objects_) by_address[object.second.address] = &object;
  std::map<std::string, double> accesses;
  for (const AccessSample& sample : samples) {
    auto at = by_address.upper_bound(sample.address);
    if (at == by_address.begin()) continue;
    const auto& [name, object] = *(--at)->second;
    if (sample.address - object.address < object.bytes.value) accesses[name] += 1;
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
