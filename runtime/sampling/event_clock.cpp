#include "runtime/sampling/event_clock.h"

#include <time.h>

#include <atomic>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace lbhm::sampling {

std::uint64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t CounterScale::nanoseconds(std::uint64_t ticks) const {
  // As the header has it, in two parts so that the product does not overflow.
  const std::uint64_t whole = ticks >> shift;
  const std::uint64_t part = ticks & ((std::uint64_t{1} << shift) - 1);
  return zero + whole * multiplier + ((part * multiplier) >> shift);
}

std::optional<CounterScale> counter_scale(const perf_event_mmap_page& control) {
  CounterScale scale;
  bool told = false;
  std::uint32_t before = 0;
  do {  // the kernel counts `lock` up before and after it changes the fields
    before = control.lock;
    std::atomic_thread_fence(std::memory_order_acquire);
    told = control.cap_user_time_zero;
    scale = {.zero = control.time_zero, .multiplier = control.time_mult, .shift = control.time_shift};
    std::atomic_thread_fence(std::memory_order_acquire);
  } while (*static_cast<const volatile __u32*>(&control.lock) != before);
  if (!told || scale.shift > 63) return std::nullopt;
  return scale;
}

std::uint64_t counter_ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

EventClock::EventClock(const perf_event_mmap_page& control) : scale_(counter_scale(control)) {
  if (scale_) offset_ = monotonic_ns() - scale_->nanoseconds(counter_ticks());
}

std::uint64_t EventClock::of_counter(std::uint64_t ticks) const {
  return scale_ ? of_perf(scale_->nanoseconds(ticks)) : monotonic_ns();
}

}  // namespace lbhm::sampling
