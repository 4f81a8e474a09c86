// Where programs built with the plugin say what they access: lbhm/compiled_patterns.h.
#include "lbhm/compiled_patterns.h"

#include "runtime/engine/guarded.h"
#include "runtime/engine/lane_state.h"
#include "runtime/engine/pattern_notes.h"

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_patterns_v1(const char* first, const char* last, unsigned char* noting) {
  lbhm::engine::guarded([=] { lbhm::engine::CompiledModules::of_process().add(first, last, noting); });
}

LBHM_ENTRY void lbhm_note_v1(uint64_t base, const void* address) {
  lbhm::engine::LaneState* lane = lbhm::engine::current_lane;
  if (lane == nullptr || lane->noting == nullptr) return;
  const auto slot = lane->noting->find(reinterpret_cast<std::uintptr_t>(address));
  if (slot) lbhm::engine::guarded([&] { lane->notes.add(base, *slot); });
}
}
