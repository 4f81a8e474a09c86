#include "runtime/sampling/alternate_stacks.h"

#include <array>
#include <atomic>

#include "runtime/sampling/watching.h"

namespace lbhm::sampling {
namespace {

struct Slot {
  std::atomic<std::uintptr_t> first{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
};
/// Threads that end without giving their stack up keep their slot until another one has a stack in the same place.
constinit std::array<Slot, 1024> slots;
thread_local Slot* slot_of_thread = nullptr;

/// The slot of the same stack, of another thread that ended, or a free one; null: there is none.
Slot* slot_for(std::uintptr_t first) {
  for (Slot& slot : slots)
    if (slot.first.load(std::memory_order_relaxed) == first) return &slot;
  for (Slot& slot : slots) {
    std::uintptr_t free = 0;
    if (slot.first.compare_exchange_strong(free, first)) return &slot;
  }
  return nullptr;
}

}  // namespace

std::vector<StackRange> alternate_stacks() {
  std::vector<StackRange> ranges;
  for (const Slot& slot : slots) {
    const std::uintptr_t first = slot.first.load();
    if (first != 0) ranges.push_back({.first = first, .end = slot.end.load()});
  }
  return ranges;
}

}  // namespace lbhm::sampling

namespace lbhm::watching {

using namespace sampling;

void alternate_stack(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (slot_of_thread && slot_of_thread->first.load() != first) {
    slot_of_thread->first.store(0);
    slot_of_thread = nullptr;
  }
  if (first == 0) return;
  slot_of_thread = slot_for(first);
  if (!slot_of_thread) {
    never_again("the program has more alternate signal stacks than LB-HM follows (1024); set LBHM_SAMPLER=faults");
    return;
  }
  slot_of_thread->end.store(first + bytes);
  const Pause pause(address, bytes);  // whoever has looked at the slots already looks again
}

}  // namespace lbhm::watching
