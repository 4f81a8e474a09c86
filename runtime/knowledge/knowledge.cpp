#include "runtime/knowledge/knowledge.h"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/base/guarded.h"
#include "runtime/knowledge/compiled_modules.h"
#include "runtime/knowledge/forecast.h"
#include "runtime/knowledge/page_uses.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm {
namespace {

/// Instances of a task that its blocks' growth and its times are learned from: the last ones. More say little that is
/// new.
constexpr std::size_t remembered_instances = 8;

template <class Instance>
void remember(std::vector<Instance>& seen, const Instance& instance) {
  if (seen.size() == remembered_instances) seen.erase(seen.begin());
  seen.push_back(instance);
}

/// Throws std::bad_alloc.
void hand_over_patterns(PatternCatalog& catalog) {
  const own_memory::Reserve reserve;
  for (const std::string& complaint : CompiledModules::of_process().hand_over(catalog))
    say("the access patterns of a module cannot be read: " + complaint + "; they are found from samples instead");
  if (reserve.drawn()) throw std::bad_alloc();
}

double mean_weight(std::span<const AccessSample> samples) {
  double sum = 0;
  for (const AccessSample& sample : samples) sum += sample.weight;
  return samples.empty() ? 1 : sum / static_cast<double>(samples.size());
}

/// `a_sample`: accesses that a sample stands for, on average.
PhaseProfile make_profile(const PhaseInstance& run, const RegionRun& region, std::vector<LaneCounts> counts,
                          AccessCount a_sample) {
  PhaseProfile profile;
  profile.time = region.time;
  profile.object_bytes = sizes_of(run.objects);
  for (LaneCounts& lane : counts) {
    const LaneTotals& totals = region.lanes[lane.lane.value];
    AccessCount all;
    for (const PageCount& page : lane.pages) all += page.count;
    profile.tasks.push_back({.lane = lane.lane,
                             .time = totals.time,
                             .events = totals.events,
                             .tiers = std::move(lane.tiers),
                             .pages = std::move(lane.pages),
                             .blocks = totals.blocks,
                             .samples = a_sample.value > 1 ? all / a_sample : 0});
  }
  return profile;
}

/// Objects that the base instance did not list are new to it: their size now stands for the base.
void add_new_objects(const PhaseInstance& run, RegionKnowledge& known) {
  std::vector<Bytes>& sizes = known.profile.object_bytes;
  const std::vector<Bytes> now = sizes_of(run.objects);
  for (std::size_t slot = sizes.size(); slot < now.size(); ++slot) sizes.push_back(now[slot]);
  for (std::vector<ObjectKnowledge>& lane : known.objects) lane.resize(std::max(lane.size(), run.objects.size()));
}

void add(std::uint32_t lane, std::span<const AccessCount> by_slot, CountedAccesses& sums) {
  for (std::size_t slot = 0; slot < by_slot.size(); ++slot) {
    sums.sums[slot] += by_slot[slot];
    if (by_slot[slot].value > 0) sums.by_lane[slot][lane] += by_slot[slot];
  }
}

/// One access of the phase keeps the slowest tier busy for the time of the line that it reads, and of the line that is
/// written back for each that was a store.
Nanoseconds slow_access(const PhaseKnowledge& known, const Topology& topology) {
  AccessCount accesses, writes;
  for (const auto& [number, region] : known) {
    for (const TaskProfile& task : region.profile.tasks) {
      for (const TierShare& tier : task.tiers) accesses += tier.accesses, writes += tier.writes;
    }
  }
  const Tier& slow = topology.tiers.back();
  if (!(accesses.value > 0) || !(slow.read_bandwidth.value > 0) || !(slow.write_bandwidth.value > 0)) return {};
  const auto line = static_cast<double>(topology.line.value);
  return Nanoseconds(line / slow.read_bandwidth.value + writes / accesses * line / slow.write_bandwidth.value);
}

/// TaskForecast::lines
std::vector<double> lines_of(std::span<const ObjectKnowledge> objects, const Topology& topology) {
  std::vector<double> lines;
  lines.reserve(objects.size());
  for (const ObjectKnowledge& object : objects)
    lines.push_back(lines_an_access(object.patterns, topology.line, topology.tiers.back().granularity));
  return lines;
}

bool same_addresses(std::span<const SlotRange> objects, std::span<const std::uintptr_t> before) {
  return std::ranges::equal(objects, before, {}, &SlotRange::address);
}

}  // namespace

std::vector<double> ExecutedBlocks::take(std::span<const double> by_counter) {
  known_.resize(std::max(known_.size(), by_counter.size()));
  for (std::uint32_t counter = 0; counter < by_counter.size(); ++counter) {
    if (!(by_counter[counter] > 0) || known_[counter]) continue;
    known_[counter] = true;
    counters_.push_back(counter);
  }
  return counts(by_counter);
}

std::vector<double> ExecutedBlocks::counts(std::span<const double> by_counter) const {
  std::vector<double> counts;
  if (by_counter.empty()) return counts;
  for (const std::uint32_t counter : counters_) counts.push_back(counter < by_counter.size() ? by_counter[counter] : 0);
  return counts;
}

std::vector<BlockFacts> ExecutedBlocks::facts(std::span<const BlockFacts> by_counter) const {
  std::vector<BlockFacts> facts;
  facts.reserve(counters_.size());
  for (const std::uint32_t counter : counters_)
    facts.push_back(counter < by_counter.size() ? by_counter[counter] : BlockFacts{});
  return facts;
}

InputModel Knowledge::input_of(RegionKnowledge& region) const {
  if (region.f != f_) region.base = seen_in_base(region.profile, topology_, region.blocks.facts, *f_);
  region.f = f_;
  return {.objects = region.objects,
          .blocks = &region.blocks,
          .stencils = &sources_.stencils,
          .scaling = sources_.scaling,
          .base = region.base,
          .times = region.times,
          .f = f_};
}

void Knowledge::learn_patterns_of(const PhaseInstance& run, const RegionRun& now,
                                  std::span<const std::optional<PatternKind>> hints, AccessCount period,
                                  RegionKnowledge& known) {
  hand_over_patterns(patterns_);
  std::vector<std::vector<NotedBase>> notes;
  notes.reserve(now.lanes.size());
  for (const LaneTotals& lane : now.lanes) notes.push_back(lane.notes);
  known.objects = learn_patterns(patterns_, notes, now.samples, period, run.objects, hints, topology_.line);
  known.blocks.elements = elements_of(known.objects, run.objects.size());
}

void Knowledge::learn_blocks(const PhaseInstance& run, const RegionRun& now, RegionKnowledge& known) const {
  BlockKnowledge& blocks = known.blocks;
  BlockInstance instance;
  instance.sizes = sizes_of(run.objects);
  blocks.seen.resize(std::max(blocks.seen.size(), now.lanes.size()));
  for (std::size_t lane = 0; lane < now.lanes.size(); ++lane) {
    if (now.lanes[lane].blocks.empty()) continue;
    instance.blocks = known.executed.take(now.lanes[lane].blocks);
    remember(blocks.seen[lane], instance);
  }
  if (known.executed.size() != blocks.facts.size())
    blocks.facts = known.executed.facts(block_facts(block_modules(), sources_.profile ? &*sources_.profile : nullptr));
}

void Knowledge::learn_region(const PhaseInstance& run, const RegionRun& now,
                             std::span<const std::optional<PatternKind>> hints, AccessCount period, bool follow,
                             RegionKnowledge& known, CountedAccesses& counted) {
  learn_blocks(run, now, known);
  const AccessCount a_sample = now.accesses_a_sample(period);
  std::vector<LaneCounts> counts =
      count_accesses(now.samples, a_sample, run.objects, static_cast<std::uint32_t>(now.lanes.size()),
                     topology_.tiers.size(), topology_.page);
  const bool base = known.executions == 0;
  // A walk over a page, one access for each line, is what a finding stands for where nobody knows better.
  if (base) count_by_bits(counts, now.found, run.objects, topology_.page, AccessCount(topology_.page / topology_.line));
  if (base)
    learn_patterns_of(run, now, hints, period, known);
  else
    add_new_objects(run, known);
  const AccessCount on_average = a_sample * mean_weight(now.samples);
  for (std::uint32_t lane = 0; lane < counts.size(); ++lane) {
    const std::vector<AccessCount> accesses = by_slot(counts[lane], run.objects.size());
    if (lane < known.objects.size()) observe(known.objects[lane], run.objects, accesses, on_average);
    add(lane, accesses, counted);
  }
  observe_waits(known.objects, now.samples, run.objects, a_sample, topology_);
  PhaseProfile profile = make_profile(run, now, std::move(counts), on_average);
  for (TaskProfile& task : profile.tasks) task.blocks = known.executed.counts(task.blocks);
  if (base) {
    known.profile = std::move(profile);
    known.executions = now.executions;
    return;
  }
  const auto seen = seen_in(profile, known.profile, topology_, input_of(known));
  known.times.resize(std::max(known.times.size(), seen.size()));
  for (std::size_t lane = 0; lane < seen.size(); ++lane) remember(known.times[lane], seen[lane]);
  if (follow) follow_pages(known.profile, profile, topology_.page);
}

CountedAccesses Knowledge::learn(const PhaseInstance& run, std::span<const std::optional<PatternKind>> hints,
                                 AccessCount period, bool follow) {
  CountedAccesses counted{std::vector<AccessCount>(run.objects.size()),
                          std::vector<std::map<std::uint32_t, AccessCount>>(run.objects.size())};
  PhaseKnowledge& known = of(*run.phase);
  for (const auto& [number, region] : run.regions) {
    RegionKnowledge base;  // whole, or nothing is known of it
    const auto before = known.find(number);
    learn_region(run, region, hints, period, follow, before == known.end() ? base : before->second, counted);
    if (before == known.end()) known.emplace(number, std::move(base));
  }
  return counted;
}

PhaseForecast Knowledge::forecast_of(const PhaseInstance& run, PagePlacement placement, std::span<const Bytes> rooms,
                                     const Correlation& f) {
  f_ = &f;
  PhaseKnowledge& known = of(*run.phase);
  PhaseForecast phase = forecast_on(run.objects, topology_, rooms);
  phase.sizes_of_base = true;
  std::uint32_t number = 0;
  for (auto& [name, region] : known) {
    const std::size_t first = phase.tasks.size();
    add_tasks(region.profile, topology_, input_of(region), phase);
    for (TaskForecast& task : std::span(phase.tasks).subspan(first)) {
      const std::uint32_t lane = task.times.lane.value;
      task.region = number;
      if (lane >= region.objects.size()) continue;
      task.lines = lines_of(region.objects[lane], topology_);
      task.waits = relative_waits(region.objects[lane]);
    }
    phase.sizes_of_base = phase.sizes_of_base && phase.bytes == region.profile.object_bytes;
    ++number;
  }
  phase.placement = std::move(placement);
  phase.slow_access = slow_access(known, topology_);
  // Copied beside the program, a page costs it the time for which slow memory is busy with its lines.
  phase.page_move = phase.slow_access * (topology_.page / topology_.line);
  phase.prediction_error = run.phase->history.prediction_error;
  // As many instances as there were are still to come, unless the objects are new in each.
  phase.instances = same_addresses(run.objects, run.phase->last_objects) ? run.phase->history.instances : 1;
  return phase;
}

std::vector<HomogeneousTimes> Knowledge::times_by_other_rule(const PhaseInstance& run) {
  const auto rule = sources_.scaling == InputScaling::sizes ? InputScaling::cosine : InputScaling::sizes;
  std::vector<HomogeneousTimes> times;
  for (auto& [number, region] : of(*run.phase))
    std::ranges::copy(homogeneous_forecast(region.profile, sizes_of(run.objects), topology_, input_of(region), rule),
                      std::back_inserter(times));
  return times;
}

std::vector<Knowledge::ObjectEstimate> Knowledge::estimates(const PhaseInstance& run, const PhaseForecast& forecast) {
  const std::vector<Bytes> now = sizes_of(run.objects);
  std::vector<AccessCount> plain(now.size());  // Eq. 1 with alpha 1
  KnownObjects known;
  for (const auto& [number, region] : of(*run.phase)) {
    known.insert(known.end(), region.objects.begin(), region.objects.end());
    const std::vector<Bytes>& sizes = region.profile.object_bytes;
    for (const TaskProfile& task : region.profile.tasks) {
      for (const PageCount& page : task.pages) {
        const std::size_t slot = page.slot.value;
        if (slot < plain.size() && slot < sizes.size())
          plain[slot] += estimated_accesses(page.count, sizes[slot], now[slot], 1);
      }
    }
  }
  std::vector<ObjectEstimate> estimates(run.objects.size());
  for (const TaskForecast& task : forecast.tasks) {
    for (const ExtentEstimate& extent : task.accesses.extents) estimates[extent.slot.value].accesses += extent.count;
  }
  for (std::size_t slot = 0; slot < plain.size(); ++slot) {
    ObjectEstimate& estimate = estimates[slot];
    estimate.kind = kind_of(known, slot);
    if (estimate.accesses.value > 0) estimate.alpha = plain[slot] / estimate.accesses;
  }
  return estimates;
}

}  // namespace lbhm
