// What policies can learn of the pages of the emulated machine.
#include <algorithm>

#include "emulator/machine/emulated_machine.h"

namespace lbhm::emulator {

void EmulatedMachine::scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) {
  Core* core = execution_.flushed_core();
  std::ranges::fill(out, false);
  PrivateVector<PageNumber> cleared;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const PageNumber number = pages[i] >> page_bits;
    const std::optional<PageId> id = pages_.id_of(number);
    if (!id) continue;
    out[i] = pages_.watch().was_accessed(*id, clear);
    if (clear && out[i]) guard([&] { cleared.push_back(number); });
  }
  if (core != nullptr) core->model().spend(pages.size() * description_.observation.scan);
  if (core != nullptr && !cleared.empty()) let_fall_out(*core, cleared);
}

/// Clearing a bit flushes nothing (x86). But footprints here are a ten-thousandth of those that are meant, and TLBs are
/// as large as ever: a page would stay in them from scan to scan and seem idle, where on the machine that is meant its
/// translation is replaced thousands of times between two scans.
void EmulatedMachine::let_fall_out(Core& core, std::span<const PageNumber> pages) {
  const CacheShape tlb = description_.core.tlb;
  core.model().forget_translations(pages);
  guard([&] { pages_.flushes().fell_out(core.number(), pages, std::size_t{tlb.sets} * tlb.ways); });
}

void EmulatedMachine::arm_hint_faults(std::span<const std::uintptr_t> pages) {
  Core* core = execution_.flushed_core();
  PrivateVector<PageNumber> armed;
  for (const std::uintptr_t address : pages) {
    const std::optional<PageId> id = pages_.id_of(address >> page_bits);
    if (!id) continue;
    pages_.watch().arm(*id);
    guard([&] { armed.push_back(address >> page_bits); });
  }
  if (core != nullptr) core->model().spend(pages.size() * description_.observation.scan);
  if (!armed.empty()) flush_translations(core, armed);
}

void EmulatedMachine::drain_hint_faults(std::vector<HintFault>& out) { pages_.watch().drain(out); }

}  // namespace lbhm::emulator
