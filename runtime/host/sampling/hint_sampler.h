// Samples without counters: pages of managed memory that fault when somebody touches them, and which of them are
// watched where not all can be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/host/sampling/samplers.h"

namespace lbhm::sampling {

/// Neighbours are watched together: one mprotect arms them. An assumption: sixteen make arming cheap, and still fall
/// into all parts of an object.
inline constexpr std::size_t block_pages = 16;

inline std::size_t pages_in(std::span<const ManagedRange> ranges, std::size_t page) {
  std::size_t pages = 0;
  for (const ManagedRange& range : ranges) pages += range.bytes.value / page;
  return pages;
}

/// About one in `step` of all pages, as blocks of neighbours spread over the ranges; other ones for another `rotation`.
inline std::vector<std::uintptr_t> choose_pages(std::span<const ManagedRange> ranges, std::size_t page,
                                                std::size_t step, std::size_t rotation) {
  std::vector<std::uintptr_t> chosen;
  std::size_t before = rotation % step;  // blocks of the ranges that lie in front
  for (const ManagedRange& range : ranges) {
    const std::size_t pages = range.bytes.value / page;
    const std::size_t blocks = (pages + block_pages - 1) / block_pages;
    for (std::size_t block = (step - before % step) % step; block < blocks; block += step) {
      const std::size_t end = std::min(pages, (block + 1) * block_pages);
      for (std::size_t i = block * block_pages; i < end; ++i) chosen.push_back(range.address + i * page);
    }
    before += blocks;
  }
  return chosen;
}

/// Arms managed pages at the beginning of each parallel region, those that were touched again at intervals within it,
/// and disarms all at its end. Each hint fault is a sample: address of the page, lane, time, load or store.
///
/// What a sample stands for: a fault says that the page was accessed at least once while it was armed, not how often.
/// It counts as one walk over the page, an access to each of its 64 lines, which is right for a loop that streams
/// through memory once in that time; too much for single accesses to a page, too little for pages that are reused
/// meanwhile (both are assumptions of the sampler, not of the processor). Where not all pages could be watched, each
/// counts for those that were not: period() = lines of a page * pages there were / pages that were armed, summed over
/// all regions.
///
/// Costs: the faults of all threads at most most_faulting of the processors' time (fault_gate.h), arming and
/// disarming at most that share of one thread's. Errors: unavailable (nobody tells which memory is managed).
Result<std::unique_ptr<ThreadSampler>> make_hint_sampler(const SamplerOptions& options);

}  // namespace lbhm::sampling
