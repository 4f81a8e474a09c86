// Which page an access goes to: page table, TLB, and what is left of an access in a pause. Part of core_model_path.h.
#pragma once

#include <algorithm>

#include "emulator/core/core_model.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

[[gnu::always_inline]] inline void CoreModel::translate(std::span<const std::uint64_t> entries,
                                                        std::array<LineId, chunk>& lines) {
  const Picoseconds now = clock();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t address = entries[i] & LBHM_EMU_ADDRESS_MASK;
    const bool is_access = entries[i] != 0 && (entries[i] & LBHM_EMU_BRANCH) == 0;
    const Frame frame = is_access ? table_.frame(address >> page_bits, now) : no_frame;
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
