#include "runtime/knowledge/object_knowledge.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "runtime/phases/lane_notes.h"

namespace lbhm {
namespace {

/// A pattern that makes less than this share of the accesses does not decide how alpha is found.
constexpr double least_share = 0.05;

bool is_refined(const AccessPattern& pattern) {
  if (pattern.weight < least_share) return false;
  return is_random(pattern.kind) || (pattern.kind == PatternKind::stencil && pattern.input_dependent);
}

/// Samples of an object that count; earlier ones half, and so on. Of so many others the mean counts as much as its own:
/// a few samples say little. Assumptions.
constexpr double remembered_waits = 256, samples_of_mean = 4;

/// In lines, from one access to the next.
double step_of(const AccessPattern& pattern, Bytes line, double block) {
  if (is_random(pattern.kind)) return block;
  if (pattern.kind == PatternKind::strided)
    return std::abs(static_cast<double>(pattern.stride)) / static_cast<double>(line.value);
  return pattern.element / line;
}

/// Samples of each object, by lane and slot, in the order of time: those that are one period apart.
using SampleTable = std::vector<std::vector<std::vector<SampledAccess>>>;

SampleTable sort_samples(std::span<const AccessSample> samples, std::span<const SlotRange> objects, std::size_t lanes) {
  SampleTable table(lanes, std::vector<std::vector<SampledAccess>>(objects.size()));
  const SlotIndex index(objects);
  for (const AccessSample& sample : samples) {
    const auto slot = index.find(sample.address);
    if (!slot || sample.lane.value >= lanes || sample.weight != 1) continue;
    table[sample.lane.value][slot->value].push_back(
        {.offset = sample.address - objects[slot->value].address, .write = sample.write});
  }
  return table;
}

}  // namespace

double alpha_of(const ObjectKnowledge& object, Bytes base, Bytes now, Bytes line, const StencilTable& stencils) {
  if (object.patterns.empty() || std::any_of(object.patterns.begin(), object.patterns.end(), is_refined))
    return object.refinement.alpha(base, now);
  return alpha(object.patterns, base, now, line, stencils);
}

double lines_an_access(const ObjectPatterns& patterns, Bytes line, Bytes block) {
  const double lines_of_block = block / line;
  double accesses = 0, lines = 0;
  for (const AccessPattern& pattern : patterns) {
    if (pattern.kind == PatternKind::fixed) continue;
    const double step = step_of(pattern, line, lines_of_block);
    const double misses = pattern.weight * std::min(1.0, step);  // neighbours share a line
    accesses += misses;
    lines += misses * std::clamp(step, 1.0, lines_of_block);
  }
  return accesses > 0 ? lines / accesses : 1;
}

KnownObjects learn_patterns(const PatternCatalog& catalog, std::span<const std::vector<NotedBase>> notes,
                            std::span<const AccessSample> samples, AccessCount period,
                            std::span<const SlotRange> objects, std::span<const std::optional<PatternKind>> hints,
                            Bytes line) {
  KnownObjects knowledge(notes.size(), std::vector<ObjectKnowledge>(objects.size()));
  const SampleTable sampled = sort_samples(samples, objects, notes.size());
  for (std::size_t lane = 0; lane < notes.size(); ++lane) {
    auto merged = merge_patterns(catalog, notes[lane], objects.size());
    for (std::size_t slot = 0; slot < objects.size(); ++slot) {
      const std::optional<PatternKind> hint = slot < hints.size() ? hints[slot] : std::nullopt;
      if (merged[slot].empty() && hint)
        merged[slot].push_back({.kind = *hint});
      else if (merged[slot].empty() && !sampled[lane][slot].empty())
        merged[slot].push_back(classify_samples(sampled[lane][slot], static_cast<std::uint64_t>(period.value), line));
      knowledge[lane][slot].patterns = std::move(merged[slot]);
    }
  }
  return knowledge;
}

std::string kind_of(const KnownObjects& knowledge, std::size_t slot) {
  ObjectPatterns all;
  for (const auto& task : knowledge) {
    if (slot < task.size()) all.insert(all.end(), task[slot].patterns.begin(), task[slot].patterns.end());
  }
  double sum = 0;
  for (const AccessPattern& pattern : all) sum += pattern.weight;
  for (AccessPattern& pattern : all) pattern.weight /= sum;
  return describe_patterns(all);
}

std::vector<Bytes> elements_of(const KnownObjects& knowledge, std::size_t slots) {
  std::vector<Bytes> elements(slots);
  for (const auto& task : knowledge) {
    for (std::size_t slot = 0; slot < std::min(slots, task.size()); ++slot) {
      if (elements[slot].value != 0 || task[slot].patterns.empty()) continue;
      const AccessPattern& most = task[slot].patterns.front();
      const bool steps = most.kind == PatternKind::strided && most.stride != 0;
      elements[slot] = steps ? Bytes(static_cast<std::uint64_t>(std::abs(most.stride))) : most.element;
    }
  }
  return elements;
}

std::vector<AccessCount> by_slot(const LaneCounts& lane, std::size_t slots) {
  std::vector<AccessCount> counted(slots);
  for (const PageCount& page : lane.pages) counted[page.slot.value] += page.count;
  return counted;
}

void observe_waits(KnownObjects& known, std::span<const AccessSample> samples, std::span<const SlotRange> objects,
                   AccessCount period, const Topology& topology) {
  for (auto& task : known) {
    for (ObjectKnowledge& object : task)
      if (object.samples > remembered_waits) object.waited = object.waited / 2, object.samples /= 2;
  }
  const Nanoseconds prefetched(exposed_cycles / topology.cycles_per_nanosecond);
  std::vector<std::optional<Nanoseconds>> before(known.size());
  const SlotIndex index(objects);
  for (const AccessSample& sample : samples) {
    if (sample.lane.value >= known.size() || sample.tier.value >= topology.tiers.size()) continue;
    const auto last = std::exchange(before[sample.lane.value], sample.time);
    const auto slot = index.find(sample.address);
    if (!last || !slot || slot->value >= known[sample.lane.value].size()) continue;
    ObjectKnowledge& object = known[sample.lane.value][slot->value];
    object.samples += sample.weight;
    if (sample.latency < prefetched) continue;
    const Nanoseconds each = (sample.time - *last) / (period.value * sample.weight);
    const Nanoseconds here = topology.tiers[sample.tier.value].latency_random;
    const double slower = here.value > 0 ? topology.tiers.back().latency_random / here : 1;
    object.waited += std::min(each, sample.latency) * (sample.weight * slower);
  }
}

std::vector<double> relative_waits(std::span<const ObjectKnowledge> task) {
  Nanoseconds waited;
  double samples = 0;
  for (const ObjectKnowledge& object : task) waited += object.waited, samples += object.samples;
  std::vector<double> waits;
  if (!(waited.value > 0)) return waits;
  const Nanoseconds mean = waited / samples;
  for (const ObjectKnowledge& object : task)
    waits.push_back((object.waited / mean + samples_of_mean) / (object.samples + samples_of_mean));
  return waits;
}

void observe(std::vector<ObjectKnowledge>& task, std::span<const SlotRange> objects,
             std::span<const AccessCount> counted, AccessCount a_sample) {
  for (std::size_t slot = 0; slot < task.size() && slot < objects.size(); ++slot)
    task[slot].refinement.observe(reckoned_size(objects[slot].bytes), counted[slot], a_sample);
}

}  // namespace lbhm
