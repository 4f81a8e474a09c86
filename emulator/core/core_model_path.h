// The way of an access through the core: what CoreModel::run() does for every entry, inline as a whole.
//
// Most of the emulator's time passes here. It is in a header so that each version of run() (core_model_path.cpp) gets
// all of it, compiled for its instruction set. What happens seldom is a call.
#pragma once

#include <algorithm>

#include "emulator/core/core_model.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

/// A hit whose line, or whose address, is still under way.
[[gnu::always_inline]] inline bool CoreModel::waits(std::uint64_t entry, LineId line, Picoseconds now) const {
  return loads_.of_line(line).time > now || address_of(entry).time > now;
}

[[gnu::always_inline]] inline MemoryPort::Line CoreModel::memory_line(LineId line) const {
  const Frame frame = line >> (page_bits - line_bits);
  return {.id = line, .page = table_.id(frame), .home = table_.tier(frame)};
}

[[gnu::always_inline]] inline PageId CoreModel::counted_page(LineId line) const {
  return counter_ ? table_.id(line >> (page_bits - line_bits)) : 0;
}

[[gnu::always_inline]] inline void CoreModel::write_back(LineId line) {
  const MemoryPort::Line target = memory_line(line);
  if (target.home != no_tier) memory_.write(target, clock());
}

/// Latencies are load to use. That of a hit of the first-level cache is part of the chains that the plugin counts, so
/// that only what goes beyond it is waited for, unless the chain itself waits for an earlier load.
[[gnu::always_inline]] inline Picoseconds CoreModel::beyond_l1(Picoseconds now, Picoseconds ready,
                                                               Picoseconds latency) const {
  return ready > now ? latency : latency - std::min(latency, l1_latency_);
}

/// The prefetcher's lines are on their way without a fill buffer; one is needed for the last step, from the second
/// level.
[[gnu::always_inline]] inline Picoseconds CoreModel::fill(const Miss& miss, Picoseconds now, Picoseconds ready,
                                                          Picoseconds beyond) {
  if (!miss.prediction.covered) return fill_buffers_.take(now, ready, beyond);
  return fill_buffers_.take(now, ready, std::min(beyond, l2_latency_ - l1_latency_), miss.start + beyond);
}

[[gnu::always_inline]] inline void CoreModel::count_load(LineId line, Picoseconds wanted, Picoseconds duration,
                                                         Picoseconds done) {
  counters_.load_occupancy += duration;
  counters_.loads.add(done - duration, done);
  counters_.pages.add(line >> (page_bits - line_bits), done - duration, done);
  counters_.buffers_full.add(wanted, done - duration);
}

[[gnu::always_inline]] inline void CoreModel::load(const Miss& miss, Picoseconds latency, bool memory) {
  const Picoseconds wanted = std::max(miss.ready, miss.turn), beyond = beyond_l1(miss.now, miss.ready, latency);
  const Picoseconds done = fill(miss, miss.now, wanted, beyond);
  if (memory && counting_loads_) count_load(miss.line, wanted, beyond, done);
  loads_.set_site(static_cast<SiteNumber>(miss.entry >> LBHM_EMU_SITE_SHIFT), done, memory);
  loads_.set_line(miss.line, {done, memory});
  window_.issue(position(), done, memory, waiting_, counted_page(miss.line));
}

/// A hit of the second level, or of what the prefetcher has brought, holds no fill buffer long enough to matter.
[[gnu::always_inline]] inline void CoreModel::short_load(const Miss& miss, Picoseconds latency, bool memory) {
  const Picoseconds done = std::max(miss.ready, miss.turn) + beyond_l1(miss.now, miss.ready, latency);
  if (done <= miss.now) return;
  loads_.set_site(static_cast<SiteNumber>(miss.entry >> LBHM_EMU_SITE_SHIFT), done, memory);
  loads_.set_line(miss.line, {done, memory});
  window_.issue(position(), done, memory || address_of(miss.entry).memory, waiting_, counted_page(miss.line));
}

/// A store waits for room in the write buffer only; its line takes a fill buffer like that of a load.
[[gnu::always_inline]] inline void CoreModel::store(const Miss& miss, Picoseconds latency, bool memory) {
  const Picoseconds before = waiting_.memory;
  write_buffer_.make_room(position(), waiting_);
  if (counter_) [[unlikely]]
    counter_->stall(counted_page(miss.line), waiting_.memory - before);
  const Picoseconds now = clock();
  write_buffer_.add(fill(miss, now, std::max(now, miss.turn), beyond_l1(now, 0, latency)), memory);
}

[[gnu::always_inline]] inline void CoreModel::finish(const Miss& miss, Picoseconds latency, bool memory) {
  const bool is_short = latency <= l2_latency_;
  if ((miss.entry & LBHM_EMU_WRITE) != 0) {
    if (!is_short || miss.turn > clock()) store(miss, latency + miss.walk, memory);
  } else if (is_short) {
    short_load(miss, latency + miss.walk, memory);
  } else {
    load(miss, latency + miss.walk, memory);
  }
}

[[gnu::always_inline]] inline void CoreModel::memory_access(const Miss& miss) {
  const MemoryPort::Line line = memory_line(miss.line);
  if (line.home == no_tier) return;  // released by another thread while the access was in the buffer
  const Prefetcher::Prediction& prediction = miss.prediction;
  const MemoryPort::Served served = memory_.read(line, prediction.neighbour, !prediction.covered, clock());
  ++counters_.accesses[served.tier.value];
  if (counter_) [[unlikely]]
    counter_->access(line.page);
  const bool is_load = (miss.entry & LBHM_EMU_WRITE) == 0;
  if (is_load) ++counters_.l3_load_misses;
  if (prediction.covered) ++counters_.prefetch_misses;
  const Picoseconds left = served.latency - std::min(served.latency, prediction.head_start);
  served_ = {.by = prediction.covered ? ServedBy::prefetcher : ServedBy::memory,
             .tier = served.tier,
             .latency = std::max(left, l2_latency_) + miss.walk};
  Picoseconds record = 0;
  if (sampler_.due()) {
    sample(miss.entry, served.tier, is_load ? std::max(left, l2_latency_) : served.latency, miss.ready);
    record = sample_cost_;
  }
  // The record is written when the load retires; what comes after it waits.
  if (!is_load) waiting_.total += record;
  finish(miss, is_load ? left + record : left, true);
}

[[gnu::always_inline]] inline void CoreModel::miss_l1(std::uint64_t entry, LineId line, Cache::Outcome l1) {
  window_.advance(position(), waiting_);
  if (l1.victim_dirty && !l2_.mark_dirty(l1.victim) && !llc_.mark_dirty(l1.victim)) write_back(l1.victim);
  const Picoseconds ready = std::max(clock(), Picoseconds{address_of(entry).time});
  const Picoseconds walk = translate_miss(entry, line);
  const Picoseconds now = clock();  // later, if a hint fault took its time
  const Picoseconds start = std::max(ready, fill_buffers_.first_free());
  Miss miss{.entry = entry,
            .line = line,
            .now = now,
            .ready = ready,
            .start = start,
            .walk = walk,
            .turn = l2_port_.take(now),
            .prediction = prefetcher_.observe(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT), line, start)};
  if (miss.prediction.broke_off) waste(prefetcher_.waste());
  if (miss.prediction.covered) ++counters_.prefetches;
  const Picoseconds head_start = miss.prediction.head_start;
  const Cache::Outcome l2 = l2_.access(line, false);
  if (l2.hit) {
    served_ = {.by = ServedBy::l2, .latency = l2_latency_ + miss.walk};
    return finish(miss, l2_latency_ - std::min(l2_latency_, head_start), false);
  }
  if (l2.victim_dirty && !llc_.mark_dirty(l2.victim)) write_back(l2.victim);
  miss.turn = llc_port_.take(miss.turn);
  if ((entry & LBHM_EMU_WRITE) == 0) ++counters_.l2_load_misses;
  if (!llc_.access(line, [this](LineId victim) { write_back(victim); })) return memory_access(miss);
  served_ = {.by = ServedBy::llc,
             .latency = std::max(llc_latency_ - std::min(llc_latency_, head_start), l2_latency_) + miss.walk};
  finish(miss, llc_latency_ - std::min(llc_latency_, head_start), false);
}

/// The line was brought into the cache by another access and may still be under way.
[[gnu::always_inline]] inline void CoreModel::hit_under_miss(std::uint64_t entry, LineId line) {
  if ((entry & LBHM_EMU_WRITE) != 0) return;
  LoadTimes::Done address = address_of(entry);
  if (address.time > clock()) address.time = address.time + l1_latency_;
  const LoadTimes::Done arrival = loads_.of_line(line);
  const LoadTimes::Done done = address.time > arrival.time ? address : arrival;
  if (done.time <= clock()) return;
  served_.latency = std::max(l1_latency_, Picoseconds{arrival.time} - std::min(Picoseconds{arrival.time}, clock()));
  loads_.set_site(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT), done.time, done.memory);
  window_.issue(position(), done.time, done.memory, waiting_, counted_page(line));
}

[[gnu::always_inline]] inline bool CoreModel::past_caches(std::uint64_t entry) const {
  return nontemporal_ && sites_.nontemporal(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT));
}

inline void CoreModel::uncached(std::uint64_t entry, LineId line) {
  if ((entry & LBHM_EMU_BRANCH) != 0) return branch(entry);
  if (line != no_line) store_past_caches(entry, line);
}

/// An access that is no plain hit.
[[gnu::always_inline]] inline void CoreModel::serve(std::uint64_t entry, LineId line, bool cached, Cache::Outcome l1) {
  if (!cached) return uncached(entry, line);
  if (l1.hit) return hit_under_miss(entry, line);
  miss_l1(entry, line, l1);
}

[[gnu::always_inline]] inline std::size_t CoreModel::run_with(std::span<const std::uint64_t> entries,
                                                              Picoseconds until) {
  meet_others(true);
  if (!measuring_) {
    touch_pages(entries);
    return entries.size();
  }
  std::array<LineId, chunk> lines;
  std::size_t done = 0;
  while (done < entries.size()) {
    const auto part = entries.subspan(done, std::min(chunk, entries.size() - done));
    translate(part, lines);
    Picoseconds now = clock();
    bool under_way = loads_.latest().time > now;
    std::size_t dispatched = 0;  // of this part: hits only pass time, so they are counted together
    for (std::size_t i = 0; i < part.size(); ++i) {
      Cache::Outcome l1;
      const bool cached = lines[i] != no_line && !past_caches(part[i]);
      if (cached) [[likely]] {
        l1 = l1_.access(lines[i], (part[i] & LBHM_EMU_WRITE) != 0);
        if (l1.hit && !(under_way && waits(part[i], lines[i], now))) continue;
      } else if (part[i] == 0) {
        continue;
      }
      dispatch(i + 1 - dispatched);
      dispatched = i + 1;
      serve(part[i], lines[i], cached, l1);
      now = clock();
      if (now >= until) return done + i + 1;
      under_way = loads_.latest().time > now;
    }
    dispatch(part.size() - dispatched);
    done += part.size();
    window_.advance(position(), waiting_);
    if (clock() >= until) break;
  }
  return done;
}

// Which page an access goes to: page table, TLB, and what is left of an access in a pause.

[[gnu::always_inline]] inline void CoreModel::translate(std::span<const std::uint64_t> entries,
                                                        std::array<LineId, chunk>& lines) {
  const Picoseconds now = clock();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    // Branches and empty entries have no address, which is in page 0.
    const std::uint64_t address = entries[i] & LBHM_EMU_ADDRESS_MASK;
    const Frame frame = table_.frame(address >> page_bits, now);
    const auto line_in_page = static_cast<LineId>(address >> line_bits) & ((1u << (page_bits - line_bits)) - 1);
    lines[i] = frame == no_frame ? no_line : (frame << (page_bits - line_bits)) | line_in_page;
  }
}

[[gnu::always_inline]] inline bool CoreModel::look_up(std::uint64_t entry, Frame frame) {
  if (tlb_.access(frame)) [[likely]]
    return true;
  const PageId page = table_.id(frame);
  if (pages_.watch().filled(page)) hint_fault(entry, page);
  return false;
}

[[gnu::always_inline]] inline Picoseconds CoreModel::translate_miss(std::uint64_t entry, LineId line) {
  const Frame frame = line >> (page_bits - line_bits);
  if (look_up(entry, frame)) return 0;
  ++counters_.tlb_misses;
  return tlb_.entry_at_hand(frame) ? std::min(walk_time_, l2_latency_) : walk_time_;
}

/// A pause (omp_control_tool) takes no time, so that no quantum ends in it. Programs spend most of their own time there
/// when they make and check their data. Pages appear with the frames that they would have outside of it, and the TLB
/// sets accessed bits and meets hint faults; caches and prefetchers stay as they are.
[[gnu::always_inline]] inline void CoreModel::touch_pages(std::span<const std::uint64_t> entries) {
  const Picoseconds now = clock();
  PageNumber last = 0;  // an empty entry looks like an access to page 0, which no program has
  for (const std::uint64_t entry : entries) {
    const PageNumber page = (entry & LBHM_EMU_ADDRESS_MASK) >> page_bits;
    if (page == last || (entry & LBHM_EMU_BRANCH) != 0) continue;
    last = page;
    if (const Frame frame = table_.frame(page, now); frame != no_frame) look_up(entry, frame);
  }
}

}  // namespace lbhm::emulator
