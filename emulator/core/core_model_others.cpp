// What the others did that a core notices at the ends of quanta.
#include <algorithm>

#include "emulator/core/core_model.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

void CoreModel::meet_others(bool running) {
  if (llc_shared_ && pages_.llc_shares().rounds() != llc_rounds_seen_) {
    llc_rounds_seen_ = pages_.llc_shares().rounds();
    llc_.set_share(pages_.llc_shares().lines(core_));
  }
  if (pages_.flushes().count() == flushes_seen_) return;
  Picoseconds cost = 0;
  const bool all_known = pages_.flushes().since(flushes_seen_, [&](const TlbFlushes::Batch& batch) {
    if (batch.core == core_) return;
    if (batch.interrupts) cost += interrupt_cost_;
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
