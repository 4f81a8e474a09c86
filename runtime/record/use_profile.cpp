#include "runtime/record/use_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "runtime/base/fingerprint.h"
#include "runtime/sampling/sample_feed.h"

namespace lbhm {
namespace {

using SortedJson = nlohmann::json;

bool holds(const Object& object, std::uintptr_t address) {
  return address >= object.address && address - object.address < object.bytes.value;
}

/// What the column `levels` holds, in this order.
constexpr std::array order{ServedBy::l1, ServedBy::l2, ServedBy::llc, ServedBy::prefetcher, ServedBy::memory};
constexpr std::array names{"l1", "l2", "llc", "prefetcher", "memory"};
static_assert(order.size() == servers && names.size() == servers);

/// [touches, mean latency of the loads in ns], of each level.
SortedJson levels_of(const TouchCounts& counts) {
  SortedJson levels = SortedJson::array();
  for (const ServedBy server : order)
    levels.push_back({counts.by(server), std::round(counts.latency(server).value * 10) / 10});
  return levels;
}

/// Whole ns; a host's clocks may differ by some, so that a sample seems to be from before the begin.
double shown(Nanoseconds time) { return std::round(std::max(time.value, 0.0)); }

/// [number, loads, stores, hits, prefetched, first_ns, last_ns]: of a phase or of a lane.
SortedJson columns(std::uint32_t number, const TouchCounts& counts) {
  return {number,
          counts.loads(),
          counts.stores(),
          counts.hits(),
          counts.by(ServedBy::prefetcher),
          shown(counts.first()),
          shown(counts.last())};
}

/// A row a phase: its columns, most, levels, and for each lane its columns and levels.
SortedJson rows_of(const std::map<std::uint32_t, PhaseUse>& uses) {
  SortedJson rows = SortedJson::array();
  for (const auto& [phase, use] : uses) {
    SortedJson lanes = SortedJson::array();
    std::uint64_t most = 0;
    for (const auto& [lane, counts] : use.lanes) {
      most = std::max(most, counts.loads() + counts.stores());
      lanes.push_back(columns(lane, counts));
      lanes.back().push_back(levels_of(counts));
    }
    SortedJson row = columns(phase, use.all);
    row.insert(row.end(), {most, levels_of(use.all), std::move(lanes)});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void TouchCounts::add(const AccessSample& sample, bool knows_server) {
  const bool first = loads_ + stores_ == 0;
  first_ = first ? sample.time : std::min(first_, sample.time);
  last_ = first ? sample.time : std::max(last_, sample.time);
  ++(sample.write ? stores_ : loads_);
  if (!knows_server) return;
  Served& served = served_[static_cast<std::size_t>(sample.by)];
  ++served.touches;
  if (sample.write) return;
  ++served.loads;
  served.waited += sample.latency;
}

std::uint64_t TouchCounts::hits() const {
  std::uint64_t all = 0;
  for (const Served& served : served_) all += served.touches;
  return all - by(ServedBy::memory);
}

Nanoseconds TouchCounts::latency(ServedBy server) const {
  const Served& served = served_[static_cast<std::size_t>(server)];
  return served.loads > 0 ? served.waited / static_cast<double>(served.loads) : Nanoseconds(0);
}

UseProfile::UseProfile(Machine& machine, SampleFeed& feed)
    : machine_(machine), feed_(feed), phases_{{"start", Nanoseconds(0)}} {
  if (!machine.touches()) feed.follow(SampleFeed::Reader::uses, true);
}

void UseProfile::born(const Object& object) {
  const Nanoseconds now = machine_.execution().now();
  const std::lock_guard lock(mutex_);
  if (objects_.size() == most_objects) {
    ++left_out_;
    return;
  }
  living_.set(object.address, object.address + object.bytes.value, objects_.size());
  objects_.push_back({.object = object, .born = now, .first = phase(), .last = phase()});
}

void UseProfile::died(std::uintptr_t address) {
  const Nanoseconds now = machine_.execution().now();
  const std::lock_guard lock(mutex_);
  const auto found = living_.starting(address);
  if (found == living_.end()) return;
  Life& life = objects_[found->second.value];
  life.died = now;
  life.last = phase();
  dead_.push_back(found->second.value);
  living_.erase(found);
}

void UseProfile::phase_begins(std::string_view name) {
  const Nanoseconds now = machine_.execution().now();
  const std::lock_guard lock(mutex_);
  drain_locked();
  if (phases_.size() == most_phases)
    ++left_out_;
  else
    phases_.push_back({std::string(name), now});
}

void UseProfile::drain() {
  const std::lock_guard lock(mutex_);
  drain_locked();
}

/// Blocks that are gone first: another one may be at the address by now.
UseProfile::Life* UseProfile::owner_of(const AccessSample& sample) {
  for (const std::size_t number : dead_)
    if (Life& life = objects_[number];
        holds(life.object, sample.address) && sample.time >= life.born && sample.time <= life.died.value_or(life.born))
      return &life;
  const auto found = living_.find(sample.address);
  return found == living_.end() ? nullptr : &objects_[found->second.value];
}

void UseProfile::drain_locked() {
  SampleSource* const touches = machine_.touches();
  samples_.clear();
  lost_ += touches ? touches->drain(samples_) : feed_.read(SampleFeed::Reader::uses, samples_);
  const bool knows_server = touches || feed_.of() == SampleOf::misses;
  for (const AccessSample& sample : samples_) {
    Life* const life = owner_of(sample);
    PhaseUse& use = (life ? life->uses : elsewhere_)[phase()];
    use.all.add(sample, knows_server);
    use.lanes[std::min(sample.lane.value, most_lanes - 1)].add(sample, knows_server);
  }
  dead_.clear();
}

namespace {

/// What the user said of an object, as far as there is something.
void add_traits(const Object& object, SortedJson& row) {
  if (object.begins_in != no_tier) row["tier"] = object.begins_in.value;
  if (!object.migratable) row["stays"] = true;
  if (object.sensitivity != Sensitivity::none)
    row["sensitivity"] = object.sensitivity == Sensitivity::latency ? "latency" : "bandwidth";
  if (object.group) row["group"] = *object.group;
}

}  // namespace

std::string_view UseProfile::source() const {
  if (machine_.touches()) return "touches";
  if (!feed_.any()) return "none";
  return feed_.of() == SampleOf::pages ? "pages" : "misses";
}

std::string UseProfile::json() {
  const Nanoseconds now = machine_.execution().now();
  const std::lock_guard lock(mutex_);
  drain_locked();
  SortedJson phases = SortedJson::array(), objects = SortedJson::array();
  for (const PhaseBegin& each : phases_) phases.push_back({{"name", each.name}, {"begin_ns", each.time.value}});
  for (const Life& life : objects_) {
    objects.push_back({{"site", hex(life.object.site.value)},
                       {"nth", life.object.nth},
                       {"name", life.object.name},
                       {"bytes", life.object.bytes.value},
                       {"born_ns", life.born.value},
                       {"dies_ns", life.died.value_or(now).value},
                       {"first_phase", life.first},
                       {"last_phase", life.died ? life.last : phase()},
                       {"uses", rows_of(life.uses)}});
    add_traits(life.object, objects.back());
  }
  const Topology& topology = machine_.topology();
  const SampleSource* const touches = machine_.touches();
  const AccessCount period = touches ? touches->period() : feed_.period();
  return SortedJson{{"schema", "lbhm.uses/1"},
                    {"page_bytes", topology.page.value},
                    {"line_bytes", topology.line.value},
                    {"source", source()},
                    {"period", period.value},
                    {"levels", names},
                    {"lost_samples", lost_},
                    {"left_out", left_out_},
                    {"end_ns", now.value},
                    {"phases", std::move(phases)},
                    {"objects", std::move(objects)},
                    {"elsewhere", rows_of(elsewhere_)}}
      .dump(-1, ' ', false, SortedJson::error_handler_t::replace);
}

}  // namespace lbhm
