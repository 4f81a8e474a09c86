// CoreModel::run() for the instruction sets that matter to it: the rows of caches are searched and shifted as vectors.
//
// All versions count in whole numbers and give the same result to the bit.
#include "emulator/core/core_model_path.h"

#include <algorithm>

#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

std::size_t CoreModel::run(std::span<const std::uint64_t> entries, Picoseconds until) {
  return touches_.rests() || !measuring_ ? run_untouched(entries, until) : run_sampling_touches(entries, until);
}

std::size_t CoreModel::run_untouched(std::span<const std::uint64_t> entries, Picoseconds until) {
#ifdef __x86_64__
  static const bool avx512 = __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx512) return run_avx512(entries, until);
  if (avx2) return run_avx2(entries, until);
#endif
  return run_plain(entries, until);
}

std::size_t CoreModel::run_plain(std::span<const std::uint64_t> entries, Picoseconds until) {
  return run_with(entries, until);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] std::size_t CoreModel::run_avx2(std::span<const std::uint64_t> entries, Picoseconds until) {
  return run_with(entries, until);
}

[[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] std::size_t CoreModel::run_avx512(
    std::span<const std::uint64_t> entries, Picoseconds until) {
  return run_with(entries, until);
}
#endif

// What happens seldom on the way of an access: branches, stores past the caches, hint faults, wasted prefetches,
// samples.

void CoreModel::store_past_caches(std::uint64_t entry, LineId line) {
  window_.advance(position(), waiting_);
  l1_.remove(line);
  l2_.remove(line);
  llc_.remove(line);
  const Picoseconds walk = translate_miss(entry, line);
  const MemoryPort::Line target = memory_line(line);
  if (target.home == no_tier) return;
  memory_.write(target, clock());
  ++counters_.accesses[target.home.value];
  served_ = {.by = ServedBy::memory, .tier = target.home, .latency = walk};
  if (counter_) counter_->access(target.page);
  if (sampler_.due()) {
    sample(entry, target.home, walk, clock());
    waiting_.total += sample_cost_;
  }
  // The line is handed over when its bandwidth allows; nobody waits for an answer.
}

/// The instructions behind a mispredicted branch come when its condition is known and the pipeline is full again.
void CoreModel::branch(std::uint64_t entry) {
  window_.advance(position(), waiting_);
  const LoadTimes::Done condition = loads_.of_site(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT));
  const Picoseconds before = waiting_.memory;
  waiting_.until(condition.time, position(), condition.memory);
  if (counter_ && waiting_.memory > before) window_.count_wait(condition.time, waiting_.memory - before);
  waiting_.total += misprediction_time_;
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
  for (std::uint32_t k = 0; k < waste.count; ++k) {
    const auto line = static_cast<LineId>(waste.first + static_cast<std::int64_t>(k) * waste.stride);
    if (l1_.contains(line) || l2_.contains(line)) continue;
    ++counters_.prefetches_useless;
    const MemoryPort::Line target = memory_line(line);
    if (!llc_.contains(line) && target.home != no_tier) memory_.read(target, true, false, clock());
  }
}

/// Only the entries around a sample are executed in other portions: whoever samples no touches pays nothing for it.
std::size_t CoreModel::run_sampling_touches(std::span<const std::uint64_t> entries, Picoseconds until) {
  std::size_t done = 0;
  while (done < entries.size()) {
    if (const std::uint64_t before = touches_.left() - 1; before > 0) {
      const std::size_t part = std::min<std::uint64_t>(before, entries.size() - done);
      const std::size_t ran = run_untouched(entries.subspan(done, part), until);
      touches_.pass(ran);
      done += ran;
      if (ran < part || done == entries.size() || clock() >= until) return done;
    }
    served_ = {.latency = l1_latency_};
    run_untouched(entries.subspan(done, 1), until);
    touches_.due();
    sample_touch(entries[done++]);
    if (clock() >= until) return done;
  }
  return done;
}

void CoreModel::sample_touch(std::uint64_t entry) {
  if (entry == 0 || (entry & LBHM_EMU_BRANCH) != 0) return;
  touches_.record({.address = entry & LBHM_EMU_ADDRESS_MASK,
                   .lane = lane_,
                   .tier = served_.tier,
                   .by = served_.by,
                   .write = (entry & LBHM_EMU_WRITE) != 0,
                   .latency = to_nanoseconds(served_.latency),
                   .time = to_nanoseconds(clock())});
  spend(sample_cost_);
}

void CoreModel::sample(std::uint64_t entry, TierId tier, Picoseconds latency, Picoseconds time) {
  sampler_.record({.address = entry & LBHM_EMU_ADDRESS_MASK,
                   .lane = lane_,
                   .tier = tier,
                   .write = (entry & LBHM_EMU_WRITE) != 0,
                   .latency = to_nanoseconds(latency),
                   .time = to_nanoseconds(time)});
}

}  // namespace lbhm::emulator
