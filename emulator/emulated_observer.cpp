// What policies can learn of the pages of the emulated machine.
#include <algorithm>

#include "emulator/emulated_machine.h"

namespace lbhm::emulator {

void EmulatedMachine::scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) {
  Core* core = execution_.flushed_core();
  std::ranges::fill(out, false);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::optional<PageId> id = pages_.id_of(pages[i] >> page_bits);
    if (id) out[i] = pages_.watch().was_accessed(*id, clear);
  }
  if (core != nullptr) core->model().spend(pages.size() * description_.observation.scan);
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
