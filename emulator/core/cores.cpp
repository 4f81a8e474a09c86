#include "emulator/core/cores.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <new>
#include <ranges>
#include <utility>

#include "runtime/base/files.h"

namespace lbhm::emulator {
namespace {

constexpr std::uint64_t lanes_per_core = 65536;
constexpr unsigned level_shift = 56;

/// Where the calling thread's stack lies, with the room that it may grow into; empty if nobody can say. glibc's own way
/// (pthread_getattr_np) reads /proc/self/maps into blocks of the program's heap that are as long as the names of its
/// files; read_file takes ours.
PageNumberRange own_stack() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  rlimit limit{};
  const auto maps = read_file("/proc/self/maps", MiB(64));
  if (!maps || getrlimit(RLIMIT_STACK, &limit) != 0) return {};
  std::uintptr_t below = 0;  // end of the mapping before
  for (const auto line : std::views::split(*maps, '\n')) {
    std::uintptr_t first = 0, last = 0;  // "7ffc1000-7ffc3000 rw-p ..."
    const char* const end = line.data() + line.size();
    const char* const dash = std::from_chars(line.data(), end, first, 16).ptr;
    if (dash == end || std::from_chars(dash + 1, end, last, 16).ec != std::errc()) continue;
    if (here < last) {
      const std::uintptr_t lowest = limit.rlim_cur < last ? last - limit.rlim_cur : 0;
      return {.first = std::max(below, lowest) >> page_bits, .last = last >> page_bits};
    }
    below = last;
  }
  return {};
}

/// What a memory-bound program is judged by; other events of all cores together have no reader yet.
void add(EventCounts& sum, const EventCounts& more) {
  sum.instructions += more.instructions;
  sum.cycles += more.cycles;
  sum.memory_wait_cycles += more.memory_wait_cycles;
  sum.l2_load_misses += more.l2_load_misses;
  sum.l3_load_misses += more.l3_load_misses;
  sum.llc_misses += more.llc_misses;
  sum.load_occupancy += more.load_occupancy;
  sum.load_cycles += more.load_cycles;
}

template <class Counts>
void add(Counts& sum, const std::vector<AccessCount>& more) {
  sum.resize(std::max(sum.size(), more.size()));
  std::ranges::transform(more, sum, sum.begin(), std::plus());
}

void keep_samples(Sampler& sampler, PrivateVector<AccessSample>& kept, std::uint64_t& lost) {
  constexpr std::size_t most_retired_samples = std::size_t{1} << 14;
  lost += sampler.drain(kept);
  if (kept.size() <= most_retired_samples) return;
  lost += kept.size() - most_retired_samples;
  kept.resize(most_retired_samples);
}

/// Three levels of the first thread's teams fit, two of others'.
std::uint64_t number_of(const Core& forker, std::uint32_t level, LaneId lane) {
  std::uint64_t below = lanes_per_core * (forker.number() + 1) + lane.value;
  if (level > (forker.root() == 0 ? 3 : 2)) below = mix(below ^ mix(forker.number()));
  return std::uint64_t{level} << level_shift | (below & ((1ull << level_shift) - 1));
}

}  // namespace

Cores::Cores(const MachineDescription& machine, PageMap& pages, Quantum& quantum)
    : machine_(machine),
      pages_(pages),
      quantum_(quantum),
      stack_(own_stack()),
      first_(&get(0, MemberState::running, 0)) {}

Core& Cores::get(std::uint64_t number, MemberState state, std::uint64_t root) {
  const std::lock_guard guard(lock_);
  const auto [found, fresh] = cores_.try_emplace(number);
  if (!fresh) return *found->second;
  try {
    if (root != 0) families_[root].push_back(number);
    std::unique_ptr<Core> core(new Core(machine_, pages_, quantum_, number, state, stack_));
    core->set_root(root);
    if (sample_period_) core->model().sampler().set_period(*sample_period_);
    found->second = {core.release(), std::default_delete<Core>(), PrivateAllocator<Core>()};
  } catch (const std::bad_alloc&) {
    cores_.erase(found);  // nobody may find a core that is not there
    throw;
  }
  return *found->second;
}

void Cores::set_sample_period(std::uint64_t period) {
  const std::lock_guard guard(lock_);
  sample_period_ = period;
  for (auto& [number, core] : cores_) core->model().sampler().set_period(period);
}

void Cores::retire(const Core& core) {
  PrivateVector<std::shared_ptr<Core>> gone;  // destroyed without the lock
  const std::lock_guard guard(lock_);
  const auto family = families_.find(core.number());
  if (family == families_.end() || core.has_team()) return;
  gone.reserve(family->second.size());
  for (const std::uint64_t number : family->second) {
    const auto found = cores_.find(number);
    if (found == cores_.end()) continue;
    retire_locked(found->second);
    gone.push_back(std::move(found->second));
    cores_.erase(found);
  }
  families_.erase(family);
}

void Cores::retire_locked(const std::shared_ptr<Core>& core) {
  quantum_.remove(core->member());
  pages_.llc_shares().retire(core->number());
  add(retired_.events, core->model().events());
  add(retired_.accesses, core->model().accesses());
  keep_samples(core->model().sampler(), retired_.samples, retired_.lost);
  keep_samples(core->model().touches(), retired_.touches, retired_.lost_touches);
}

std::uint64_t Cores::drain(std::vector<AccessSample>& out) {
  const std::lock_guard guard(lock_);
  std::uint64_t lost = std::exchange(retired_.lost, 0);
  for (auto& [number, core] : cores_) lost += core->model().sampler().drain(out);
  out.insert(out.end(), retired_.samples.begin(), retired_.samples.end());
  retired_.samples = {};
  return lost;
}

std::uint64_t Cores::drain_touches(std::vector<AccessSample>& out) {
  const std::lock_guard guard(lock_);
  std::uint64_t lost = std::exchange(retired_.lost_touches, 0);
  for (auto& [number, core] : cores_) lost += core->model().touches().drain(out);
  out.insert(out.end(), retired_.touches.begin(), retired_.touches.end());
  retired_.touches = {};
  return lost;
}

EventCounts Cores::events() {
  const std::lock_guard guard(lock_);
  EventCounts sum = retired_.events;
  for (auto& [number, core] : cores_) add(sum, core->model().events());
  return sum;
}

std::vector<AccessCount> Cores::accesses() {
  const std::lock_guard guard(lock_);
  std::vector<AccessCount> sum(retired_.accesses.begin(), retired_.accesses.end());
  for (auto& [number, core] : cores_) add(sum, core->model().accesses());
  return sum;
}

Core& Cores::lane(const Core& forker, std::uint32_t level, LaneId lane) {
  if (level == 1 && &forker == first_) return get(lane.value, MemberState::away, 0);
  return get(number_of(forker, level, lane), MemberState::away, forker.root());
}

Core& Cores::next(Series& series, MemberState state) {
  std::uint32_t index;
  {
    const std::lock_guard guard(lock_);
    index = series.count++;
  }
  const std::uint64_t number = series.first_number + index;
  Core& core = get(number, state, number);
  core.begin_lane(LaneId(series.first_lane + index));
  return core;
}

Core& Cores::outside() { return next(outside_, MemberState::outside); }

Core& Cores::daemon() { return next(daemons_, MemberState::daemon); }

}  // namespace lbhm::emulator
