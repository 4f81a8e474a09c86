// When loads, stores and branches make a core wait.
#include <algorithm>

#include "emulator/core_model.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

/// Latencies are load to use. That of a hit of the first-level cache is part of the chains that the plugin counts, so
/// that only what goes beyond it is waited for here.
void CoreModel::load(const Miss& miss, Picoseconds latency, bool memory) {
  const Picoseconds done = fill_buffers_.take(clock(), miss.ready, latency - std::min(latency, l1_latency_));
  loads_.set_site(static_cast<SiteNumber>(miss.entry >> LBHM_EMU_SITE_SHIFT), done, memory);
  loads_.set_line(miss.line, {done, memory});
  window_.issue(position(), done, memory, waiting_);
}

/// A hit of the second level, or of what the prefetcher has brought, holds no fill buffer long enough to matter.
void CoreModel::short_load(const Miss& miss, Picoseconds latency, bool memory) {
  const Picoseconds done = miss.ready + latency - std::min(latency, l1_latency_);
  if (done <= clock()) return;
  loads_.set_site(static_cast<SiteNumber>(miss.entry >> LBHM_EMU_SITE_SHIFT), done, memory);
  window_.issue(position(), done, memory || address_of(miss.entry).memory, waiting_);
}

/// The line was brought into the cache by another access and may still be under way.
void CoreModel::hit_under_miss(std::uint64_t entry, LineId line) {
  if (!measuring_ || (entry & LBHM_EMU_WRITE) != 0) return;
  const LoadTimes::Done address = address_of(entry);
  const LoadTimes::Done arrival = loads_.of_line(line);
  const LoadTimes::Done done = address.time > arrival.time ? address : arrival;
  if (done.time <= clock()) return;
  loads_.set_site(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT), done.time, done.memory);
  window_.issue(position(), done.time, done.memory, waiting_);
}

/// A store waits for room in the write buffer only; its line takes a fill buffer like that of a load.
void CoreModel::store(Picoseconds latency, bool memory) {
  write_buffer_.make_room(position(), waiting_);
  const Picoseconds now = clock();
  write_buffer_.add(fill_buffers_.take(now, now, latency - std::min(latency, l1_latency_)), memory);
}

/// The instructions behind a mispredicted branch come when its condition is known and the pipeline is full again.
void CoreModel::branch(std::uint64_t entry) {
  if (!measuring_) return;
  window_.advance(position(), waiting_);
  const LoadTimes::Done condition = loads_.of_site(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT));
  waiting_.until(condition.time, position(), condition.memory);
  waiting_.total += misprediction_time_;
}

void CoreModel::meet_others(bool running) {
  if (llc_shared_ && pages_.llc_shares().rounds() != llc_rounds_seen_) {
    llc_rounds_seen_ = pages_.llc_shares().rounds();
    llc_.set_share(pages_.llc_shares().lines(core_));
  }
  if (pages_.flushes().count() == flushes_seen_) return;
  Picoseconds cost = 0;
  const bool all_known = pages_.flushes().since(flushes_seen_, [&](const TlbFlushes::Batch& batch) {
    if (batch.core == core_) return;
    cost += interrupt_cost_;
    batch.everything ? tlb_.clear() : forget_translations(batch.pages);
  });
  if (!all_known) tlb_.clear();
  if (running) spend(cost);
}

void CoreModel::forget_translations(std::span<const PageNumber> pages) {
  for (const PageNumber page : pages) {
    if (const Frame frame = table_.known_frame(page); frame != no_frame) tlb_.remove(frame);
  }
}

}  // namespace lbhm::emulator
