// What an access does that misses the first-level cache, and what else is in the buffer.
#include <algorithm>

#include "emulator/core_model.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

void CoreModel::event(std::uint64_t entry, LineId line, Cache::Outcome l1) {
  if ((entry & LBHM_EMU_BRANCH) != 0) return branch(entry);
  if (line == no_line) return;
  if (l1.hit) return hit_under_miss(entry, line);
  if (nontemporal_ && sites_.nontemporal(entry >> LBHM_EMU_SITE_SHIFT)) return store_past_caches(entry, line);
  miss_l1(entry, line, l1);
}

void CoreModel::miss_l1(std::uint64_t entry, LineId line, Cache::Outcome l1) {
  window_.advance(position(), waiting_);
  if (l1.victim_dirty && !l2_.mark_dirty(l1.victim) && !llc_.mark_dirty(l1.victim)) write_back(l1.victim);
  Miss miss{.entry = entry, .line = line, .ready = clock(), .walk = translate_miss(entry, line), .prediction = {}};
  miss.ready = std::max(miss.ready, Picoseconds{address_of(entry).time});
  miss.prediction = prefetcher_.observe(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT), line, miss.ready);
  if (miss.prediction.broke_off) waste(prefetcher_.waste());
  if (miss.prediction.covered && measuring_) ++counters_.prefetches;
  const Picoseconds head_start = miss.prediction.covered ? miss.prediction.head_start : 0;
  const bool is_load = (entry & LBHM_EMU_WRITE) == 0;
  const Cache::Outcome l2 = l2_.access(line, false);
  if (l2.hit) return finish(miss, l2_latency_ - std::min(l2_latency_, head_start), false);
  if (l2.victim_dirty && !llc_.mark_dirty(l2.victim)) write_back(l2.victim);
  if (is_load && measuring_) ++counters_.l2_load_misses;
  if (!llc_.access(line, [this](LineId victim) { write_back(victim); })) {
    if (measuring_) memory_access(miss);
    return;
  }
  finish(miss, llc_latency_ - std::min(llc_latency_, head_start), false);
}

void CoreModel::memory_access(const Miss& miss) {
  const MemoryPort::Line line = memory_line(miss.line);
  if (line.home == no_tier) return;  // released by another thread while the access was in the buffer
  const Prefetcher::Prediction& prediction = miss.prediction;
  const MemoryPort::Served served = memory_.read(line, prediction.neighbour, !prediction.covered, clock());
  ++counters_.accesses[served.tier.value];
  const bool is_load = (miss.entry & LBHM_EMU_WRITE) == 0;
  if (is_load) ++counters_.l3_load_misses;
  if (prediction.covered) ++counters_.prefetch_misses;
  const Picoseconds head_start = prediction.covered ? prediction.head_start : 0;
  const Picoseconds left = served.latency - std::min(served.latency, head_start);
  Picoseconds record = 0;
  if (sampler_.due()) {
    sample(miss.entry, served.tier, is_load ? std::max(left, l2_latency_) : served.latency, miss.ready);
    record = sample_cost_;
  }
  // The record is written when the load retires; what comes after it waits.
  if (!is_load) waiting_.total += record;
  finish(miss, is_load ? left + record : left, true);
}

void CoreModel::finish(const Miss& miss, Picoseconds latency, bool memory) {
  if (!measuring_) return;
  const bool is_short = latency <= l2_latency_;
  if ((miss.entry & LBHM_EMU_WRITE) != 0) {
    if (!is_short) store(latency + miss.walk, memory);
  } else if (is_short) {
    short_load(miss, latency + miss.walk, memory);
  } else {
    load(miss, latency + miss.walk, memory);
  }
}

void CoreModel::store_past_caches(std::uint64_t entry, LineId line) {
  window_.advance(position(), waiting_);
  l1_.remove(line);
  l2_.remove(line);
  llc_.remove(line);
  const Picoseconds walk = translate_miss(entry, line);
  const MemoryPort::Line target = memory_line(line);
  if (!measuring_ || target.home == no_tier) return;
  memory_.write(target, clock());
  ++counters_.accesses[target.home.value];
  if (sampler_.due()) {
    sample(entry, target.home, walk, clock());
    waiting_.total += sample_cost_;
  }
  // The line is handed over when its bandwidth allows; nobody waits for an answer.
}

Picoseconds CoreModel::translate_miss(std::uint64_t entry, LineId line) {
  const Frame frame = line >> (page_bits - line_bits);
  if (tlb_.access(frame)) [[likely]]
    return 0;
  const PageId page = table_.id(frame);
  if (pages_.watch().filled(page)) hint_fault(entry, page);
  if (!measuring_) return 0;
  ++counters_.tlb_misses;
  return walk_time_;
}

void CoreModel::hint_fault(std::uint64_t entry, PageId page) {
  const std::uintptr_t address = entry & LBHM_EMU_ADDRESS_MASK;
  pages_.watch().fault(page, {.page = address >> page_bits << page_bits,
                              .lane = lane_,
                              .write = (entry & LBHM_EMU_WRITE) != 0,
                              .time = to_nanoseconds(clock())});
  spend(fault_cost_);
}

/// A stream broke off: what was asked for ahead of it was transferred for nothing, unless it was in a cache.
void CoreModel::waste(const Prefetcher::Waste& waste) {
  if (!measuring_) return;
  for (std::uint32_t k = 0; k < waste.count; ++k) {
    const auto line = static_cast<LineId>(waste.first + static_cast<std::int64_t>(k) * waste.stride);
    if (l1_.contains(line) || l2_.contains(line)) continue;
    ++counters_.prefetches_useless;
    const MemoryPort::Line target = memory_line(line);
    if (!llc_.contains(line) && target.home != no_tier) memory_.read(target, true, false, clock());
  }
}

void CoreModel::sample(std::uint64_t entry, TierId tier, Picoseconds latency, Picoseconds time) {
  sampler_.record({.address = entry & LBHM_EMU_ADDRESS_MASK,
                   .lane = lane_,
                   .tier = tier,
                   .write = (entry & LBHM_EMU_WRITE) != 0,
                   .latency = to_nanoseconds(latency),
                   .time = to_nanoseconds(time)});
}

void CoreModel::write_back(LineId line) {
  const MemoryPort::Line target = memory_line(line);
  if (measuring_ && target.home != no_tier) memory_.write(target, clock());
}

MemoryPort::Line CoreModel::memory_line(LineId line) const {
  const Frame frame = line >> (page_bits - line_bits);
  return {.id = line, .page = table_.id(frame), .home = table_.tier(frame)};
}

}  // namespace lbhm::emulator
