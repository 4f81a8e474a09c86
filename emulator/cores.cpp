#include "emulator/cores.h"

#include <pthread.h>

namespace lbhm::emulator {
namespace {

constexpr std::uint64_t lanes_per_core = 65536;
constexpr unsigned level_shift = 56;

/// Where the calling thread's stack lies; empty if nobody can say.
PageRange own_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* address = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &address, &bytes);
  pthread_attr_destroy(&attributes);
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  return {.first = first >> page_bits, .last = (first + bytes) >> page_bits};
}

}  // namespace

Cores::Cores(const MachineDescription& machine, PageMap& pages, Quantum& quantum)
    : machine_(machine), pages_(pages), quantum_(quantum), stack_(own_stack()), first_(&get(0, MemberState::running)) {}

Core& Cores::get(std::uint64_t number, MemberState state) {
  const std::lock_guard guard(lock_);
  std::unique_ptr<Core>& core = cores_[number];
  if (!core) core = std::make_unique<Core>(machine_, pages_, quantum_, number, state, stack_);
  return *core;
}

Core& Cores::lane(const Core& forker, std::uint32_t level, LaneId lane) {
  if (level == 1 && &forker == first_) return get(lane.value, MemberState::away);
  const std::uint64_t below = (lanes_per_core * (forker.number() + 1) + lane.value) & ((1ull << level_shift) - 1);
  return get(std::uint64_t{level} << level_shift | below, MemberState::away);
}

Core& Cores::next(Series& series, MemberState state) {
  std::uint32_t index;
  {
    const std::lock_guard guard(lock_);
    index = series.count++;
  }
  Core& core = get(series.first_number + index, state);
  core.begin_lane(LaneId(series.first_lane + index));
  return core;
}

Core& Cores::outside() { return next(outside_, MemberState::outside); }

Core& Cores::daemon() { return next(daemons_, MemberState::daemon); }

}  // namespace lbhm::emulator
