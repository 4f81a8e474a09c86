#include "runtime/host/sampling/fault_gate.h"

#include <thread>
#include <utility>

#include "runtime/host/sampling/hint_faults.h"
#include "runtime/host/sampling/pauses.h"
#include "runtime/host/sampling/thread_buffer.h"

namespace lbhm::sampling {
namespace {

double default_rate() {
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
  return processors * most_faulting * 1e9 / nanoseconds_per_hint_fault;
}

/// The handler sees its own part of a fault only. An assumption: entering and leaving the signal take as long again.
constexpr double whole_fault = 2;

}  // namespace

FaultGate::FaultGate(double most_per_second, LaneId (*lane)(), std::string root,
                     std::function<void(const UseRanges& use)> managed)
    : budget_(most_per_second > 0 ? most_per_second : default_rate(), monotonic_ns()),
      by_time_(!(most_per_second > 0)),
      lane_(lane),
      root_(std::move(root)),
      managed_(std::move(managed)),
      resolved_(HintFaults::of_process().resolved()) {
  begin_watching();
}

double FaultGate::price() const {
  if (!by_time_) return 1;
  return std::max(1.0, whole_fault * HintFaults::of_process().handler_ns() / nanoseconds_per_hint_fault);
}

std::size_t FaultGate::grant_now() {
  const HintFaults& faults = HintFaults::of_process();
  const std::uint64_t resolved = faults.resolved();
  const std::uint64_t since = resolved - std::exchange(resolved_, resolved);
  return budget_.grant(monotonic_ns(), since, faults.armed(), price());
}

std::size_t FaultGate::grant() {
  const std::lock_guard guard(lock_);
  return grant_now();
}

std::size_t FaultGate::arm(std::span<const std::uintptr_t> pages, Armed reason) {
  const std::lock_guard guard(lock_);
  const std::size_t grant = grant_now();
  if (pages.size() <= grant) return arm_managed(pages, reason);
  passed_over_ += pages.size() - grant;
  if (grant == 0) return 0;
  const std::size_t step = (pages.size() + grant - 1) / grant;
  std::vector<std::uintptr_t> chosen;
  for (std::size_t i = rotation_++ % step; i < pages.size(); i += step) chosen.push_back(pages[i]);
  return arm_managed(chosen, reason);
}

/// Whoever asks may not know yet that an object was released, and its addresses are somebody else's now.
std::size_t FaultGate::arm_managed(std::span<const std::uintptr_t> pages, Armed reason) {
  HintFaults& faults = HintFaults::of_process();
  if (!managed_) return faults.arm(pages, reason, lane_, root_);
  std::size_t armed = 0;
  managed_([&](std::span<const ManagedRange> ranges) {
    std::vector<std::uintptr_t> ours;
    for (const std::uintptr_t page : pages)
      if (within(ranges, page)) ours.push_back(page);
    armed = faults.arm(ours, reason, lane_, root_);
  });
  return armed;
}

}  // namespace lbhm::sampling
