#include "runtime/engine/scope_learn.h"

#include <algorithm>
#include <new>

#include "runtime/engine/forecast.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm::engine {
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
void hand_over_patterns(Engine& e) {
  const own_memory::Reserve reserve;
  for (const std::string& complaint : CompiledModules::of_process().hand_over(e.patterns))
    say("the access patterns of a module cannot be read: " + complaint + "; they are found from samples instead");
  if (reserve.drawn()) throw std::bad_alloc();
}

}  // namespace

AccessCount period_of(Engine& e) { return e.machine->samples() ? e.machine->samples()->period() : AccessCount(1); }

void learn_patterns(Engine& e, const ScopeInstance& run, const PartRun& now, Part& part) {
  hand_over_patterns(e);
  std::vector<std::vector<NotedBase>> notes;
  notes.reserve(now.lanes.size());
  for (const LaneTotals& lane : now.lanes) notes.push_back(lane.notes);
  std::vector<std::optional<PatternKind>> hints;
  for (const SlotRange& object : run.objects) {
    const auto known = e.registry.find(object.address);
    hints.push_back(known ? known->pattern : std::nullopt);
  }
  part.knowledge =
      learn_patterns(e.patterns, notes, now.samples, period_of(e), run.objects, hints, e.machine->topology().line);
  part.blocks.elements = elements_of(part.knowledge, run.objects.size());
}

void learn_counts(Engine& e, const ScopeInstance& run, std::span<const LaneCounts> counts, Part& part) {
  std::vector<AccessCount> sums(run.objects.size());
  PlanRecord* const plan = e.scopes.plans.kept(run.plan);
  std::vector<ObjectRecord>* const records = plan ? &plan->objects : nullptr;
  for (std::size_t lane = 0; lane < counts.size(); ++lane) {
    const std::vector<AccessCount> counted = by_slot(counts[lane], run.objects.size());
    if (lane < part.knowledge.size()) observe(part.knowledge[lane], run.objects, counted, period_of(e));
    for (std::size_t slot = 0; slot < sums.size(); ++slot) {
      sums[slot] += counted[slot];
      if (records && counted[slot].value > 0)
        (*records)[slot].counted_by_lane[static_cast<std::uint32_t>(lane)] += counted[slot];
    }
  }
  if (!records) return;
  for (std::size_t slot = 0; slot < records->size(); ++slot)
    (*records)[slot].counted = (*records)[slot].counted.value_or(AccessCount(0)) + sums[slot];
}

void learn_blocks(Engine& e, const ScopeInstance& run, const PartRun& now, Part& part) {
  BlockKnowledge& known = part.blocks;
  BlockInstance instance;
  for (const SlotRange& object : run.objects) instance.sizes.push_back(object.bytes);
  known.seen.resize(std::max(known.seen.size(), now.lanes.size()));
  for (std::size_t lane = 0; lane < now.lanes.size(); ++lane) {
    if (now.lanes[lane].blocks.empty()) continue;
    instance.blocks = now.lanes[lane].blocks;
    remember(known.seen[lane], instance);
  }
  if (block_counters() != known.facts.size())
    known.facts = block_facts(block_modules(), e.profile ? &*e.profile : nullptr);
}

void learn_times(Engine& e, Part& part, const ScopeProfile& instance) {
  if (!part.profile) return;
  const auto now = seen_in(instance, *part.profile, e.machine->topology(), {.objects = {}, .blocks = &part.blocks});
  part.times.resize(std::max(part.times.size(), now.size()));
  for (std::size_t lane = 0; lane < now.size(); ++lane) remember(part.times[lane], now[lane]);
}

}  // namespace lbhm::engine
