#include "runtime/engine/code_regions.h"

#include "lbhm/code_regions.h"
#include "runtime/engine/guarded.h"
#include "runtime/engine/lane_state.h"
#include "runtime/engine/region_book.h"

namespace lbhm::engine {
namespace {

/// One a thread, kept until the process ends: a report may be written after the thread is gone.
struct Stacks {
  std::mutex mutex;
  std::vector<RegionStack*> all;
};

Stacks& stacks() {
  static auto* const known = new Stacks;
  return *known;
}

constinit thread_local RegionStack* mine = nullptr;

RegionStack& stack_of_thread(const Engine& e) {
  if (mine) return *mine;
  auto* fresh = new RegionStack(e.settings.region_executions);
  const std::lock_guard lock(stacks().mutex);
  stacks().all.push_back(fresh);
  return *(mine = fresh);
}

RegionPlace place_of(lbhm_code_region* record, const void* frame) {
  const auto at = reinterpret_cast<std::uintptr_t>(frame);
  if (!record) return {.slot = 0, .kind = 0, .frame = at};
  return {.slot = RegionBook::of_process().slot(*record), .kind = record->kind, .frame = at};
}

/// Without memory for our tables the program goes on, and the report knows less.
template <class Note>
void note(const Note& act) {
  Engine* e = engine();
  if (e && e->reporting) guarded([&] { act(*e, stack_of_thread(*e)); });
}

}  // namespace

TotalsByLane measured_code_regions() {
  TotalsByLane sums;
  const std::lock_guard lock(stacks().mutex);
  for (RegionStack* stack : stacks().all) stack->add_to(sums);
  return sums;
}

}  // namespace lbhm::engine

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_code_regions_v1(lbhm_code_region* first, lbhm_code_region* last) {
  lbhm::engine::guarded([=] { lbhm::engine::RegionBook::of_process().add(first, last); });
}

LBHM_ENTRY void lbhm_code_region_begin_v1(lbhm_code_region* region, const void* frame) {
  using namespace lbhm::engine;
  note([&](Engine& e, RegionStack& stack) {
    if (!e.measuring || e.finished) return;
    e.used.store(true, std::memory_order_relaxed);  // programs without OpenMP have a report, too
    stack.begin(*e.machine, current_lane, place_of(region, frame));
  });
}

LBHM_ENTRY void lbhm_code_region_end_v1(lbhm_code_region* region, const void* frame) {
  using namespace lbhm::engine;
  note([&](Engine& e, RegionStack& stack) { stack.end(*e.machine, current_lane, place_of(region, frame)); });
}

LBHM_ENTRY void lbhm_code_region_unwound_v1(lbhm_code_region* region, const void* frame) {
  using namespace lbhm::engine;
  note([&](Engine&, RegionStack& stack) { stack.unwound(place_of(region, frame)); });
}
}
