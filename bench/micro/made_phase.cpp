#include "bench/micro/made_phase.h"

#include <algorithm>
#include <cmath>

namespace lbhm::bench {
namespace {

constexpr std::uint64_t samples_of_task = 4096;
constexpr double period = 127;  // of the presets
constexpr std::size_t counters = 200, instances = 8;
constexpr double growth = 1.1;  // of the next instance

/// Numbers of the preset optane; which ones they are matters little here.
Topology two_tiers() {
  Topology t;
  t.name = "made up";
  t.cycles_per_nanosecond = 2.3;
  t.tiers = {{.name = "fast",
              .capacity = GiB(16),
              .latency_sequential = Nanoseconds(81),
              .latency_random = Nanoseconds(101),
              .read_bandwidth = BytesPerNanosecond(104),
              .write_bandwidth = BytesPerNanosecond(52)},
             {.name = "slow",
              .capacity = GiB(128),
              .latency_sequential = Nanoseconds(169),
              .latency_random = Nanoseconds(305),
              .read_bandwidth = BytesPerNanosecond(39),
              .write_bandwidth = BytesPerNanosecond(13)}};
  return t;
}

/// Pages of an object that a task accesses: [first, end).
struct Part {
  std::uint32_t slot;
  std::uint64_t first, end;
};

std::uint64_t pages_of(Bytes bytes) { return (bytes.value + 4095) / 4096; }

std::vector<Part> parts_of(std::uint32_t task, const Shape& shape, std::uint64_t pages) {
  const std::uint32_t shared = std::clamp(shape.objects / 4, 1u, 8u);
  std::vector<Part> parts;
  for (std::uint32_t slot = 0; slot < shared; ++slot) {
    const std::uint64_t first = pages * task / shape.tasks;
    const std::uint64_t end = std::max(first + 1, pages * (task + 1) / shape.tasks);
    parts.push_back(slot % 2 == 0 ? Part{slot, first, end} : Part{slot, 0, pages});
  }
  for (std::uint32_t slot = shared + task; slot < shape.objects; slot += shape.tasks) parts.push_back({slot, 0, pages});
  return parts;
}

TaskProfile profile_of(std::uint32_t task, const std::vector<Part>& parts) {
  TaskProfile profile{
      .lane = LaneId(task), .time = Nanoseconds(1e8 * (1 + task % 7)), .events = {}, .tiers = {}, .pages = {}};
  std::uint64_t pages = 0;
  for (const Part& part : parts) pages += part.end - part.first;
  const std::uint64_t step = std::max<std::uint64_t>(1, pages / samples_of_task);
  const double accesses = samples_of_task * period;
  const AccessCount count(accesses / std::ceil(static_cast<double>(pages) / static_cast<double>(step)));
  for (const Part& part : parts) {
    for (std::uint64_t page = part.first; page < part.end; page += step)
      profile.pages.push_back({ObjectSlot(part.slot), PageIndex(page), count});
  }
  profile.tiers = {{AccessCount(0), Nanoseconds(0), AccessCount(0)},
                   {AccessCount(accesses), Nanoseconds(250), AccessCount(accesses / 4)}};
  const double cycles = profile.time.value * 2.3;
  profile.events = {.instructions = cycles,
                    .cycles = cycles,
                    .memory_wait_cycles = cycles / 2,
                    .l2_load_misses = 2 * accesses,
                    .l3_load_misses = accesses,
                    .llc_misses = accesses,
                    .prefetches = accesses / 2,
                    .prefetch_misses = accesses / 8,
                    .branches = cycles / 8,
                    .branch_mispredictions = cycles / 800,
                    .vector_instructions = cycles / 10,
                    .useless_prefetches = accesses / 64};
  return profile;
}

/// Executions that follow the size of the objects, but for a third of the blocks that runs always equally often.
std::vector<double> block_counts(double size, std::uint32_t task) {
  std::vector<double> counts(counters);
  for (std::size_t block = 0; block < counters; block += 3)
    counts[block] = std::round(std::pow(size, block % 2 == 0 ? 1 : 0.5) * static_cast<double>(1 + block % 5) *
                               (1 + 0.01 * (task % 9)));
  return counts;
}

/// A stream, gathers that are refined, a measured stencil: in turn.
AccessPattern pattern_of(std::uint32_t slot) {
  AccessPattern pattern{.element = Bytes(8)};
  if (slot % 3 == 1) pattern.kind = PatternKind::gather;
  if (slot % 3 == 2) {
    pattern.kind = PatternKind::stencil;
    pattern.dimensions = 2;
    pattern.points = 5;
  }
  return pattern;
}

}  // namespace

MadePhase::MadePhase(const Shape& shape) : topology(two_tiers()) {
  const Bytes object(std::max<std::uint64_t>(shape.footprint.value / shape.objects, 64));
  const auto scaled = [&](double factor) {
    return Bytes(static_cast<std::uint64_t>(static_cast<double>(object.value) * factor));
  };
  for (std::uint32_t slot = 0; slot < shape.objects; ++slot) {
    const Bytes larger = scaled(growth);
    now.push_back({.slot = ObjectSlot(slot),
                   .address = now.empty() ? 0x100000 : now.back().address + pages_of(larger) * 4096,
                   .bytes = larger});
  }
  profile.object_bytes.assign(shape.objects, object);
  profile.time = Nanoseconds(8e8);
  fast_capacity = Bytes(shape.footprint.value / 4);
  for (const double size : {0.05, 0.1, 0.5, 1.0, 2.0, 10.0, 40.0})
    stencils.rows.push_back({.dimensions = 2,
                             .points = 5,
                             .element = Bytes(8),
                             .object = scaled(size),
                             .accesses_per_element = 0.125 + size / 100});
  blocks.facts.assign(counters, {.input_independent = false, .instructions = 12});
  blocks.elements.assign(shape.objects, Bytes(8));
  knowledge.resize(shape.tasks, std::vector<ObjectKnowledge>(shape.objects));
  blocks.seen.resize(shape.tasks);
  for (std::uint32_t task = 0; task < shape.tasks; ++task) {
    const std::vector<Part> parts = parts_of(task, shape, pages_of(object));
    profile.tasks.push_back(profile_of(task, parts));
    profile.tasks.back().blocks = block_counts(static_cast<double>(object.value) / 8, task);
    for (std::size_t i = 0; i < instances; ++i) {
      const double size = 1 + 0.05 * static_cast<double>(i);
      blocks.seen[task].push_back({.sizes = std::vector<Bytes>(shape.objects, scaled(size)),
                                   .blocks = block_counts(static_cast<double>(object.value) / 8 * size, task)});
      for (const Part& part : parts)
        knowledge[task][part.slot].refinement.observe(scaled(size), AccessCount(1e5 * size), AccessCount(125 * size));
    }
    for (const Part& part : parts) knowledge[task][part.slot].patterns = {pattern_of(part.slot)};
  }
  base = seen_in_base(profile, topology, blocks.facts);
}

}  // namespace lbhm::bench
