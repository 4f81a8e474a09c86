#include "runtime/host/sampling/thread_buffer.h"

#include <time.h>
#include <atomic>
#include <memory>
#include <utility>

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

Result<std::unique_ptr<ThreadBuffer>> ThreadBuffer::open(const SamplerPlan& plan) {
  std::unique_ptr<ThreadBuffer> buffer(new ThreadBuffer);
  buffer->plan_ = &plan;
  for (const SampledEvent& event : plan.events) {
    auto opened = PerfEvent::open(event.spec);
    if (!opened) return std::unexpected(std::move(opened.error()));
    buffer->events_.push_back(std::move(*opened));
  }
  return buffer;
}

void ThreadBuffer::lane_begins(LaneId lane) {
  if (lane == lane_) return;
  lane_ = lane;
  const std::lock_guard guard(lock_);
  lanes_.note(monotonic_ns(), lane);
}

void ThreadBuffer::thread_ends() {
  const std::lock_guard guard(lock_);
  for (PerfEvent& event : events_) event.enable(false);
  ended_ = true;
}

void ThreadBuffer::set_period(std::uint64_t period) {
  const std::lock_guard guard(lock_);
  if (ended_) return;
  for (PerfEvent& event : events_) {
    if (period > 0) event.set_period(period);
    event.enable(period > 0);
  }
}

void ThreadBuffer::drain(std::vector<AccessSample>& out, Losses& losses) {
  const std::lock_guard guard(lock_);
  const std::uint64_t now = monotonic_ns();
  for (std::size_t i = 0; i < events_.size(); ++i) drain_event(i, out, losses);
  lanes_.forget_before(now);
}

void ThreadBuffer::drain_event(std::size_t i, std::vector<AccessSample>& out, Losses& losses) {
  PerfEvent& event = events_[i];
  const SampledEvent& plan = plan_->events[i];
  std::vector<RawSample> raw;
  const bool sound = event.ring().read([&](std::span<const std::byte> bytes) {
    const PerfRecord record = parse_record(bytes, event.sample_type());
    if (record.kind == PerfRecord::Kind::sample && plan.read) {
      if (const auto sample = plan.read(record.sample)) raw.push_back(*sample);
    } else if (record.kind == PerfRecord::Kind::aux_gap || record.kind == PerfRecord::Kind::malformed) {
      ++losses.samples;
    }
    losses.samples += record.lost;
    losses.throttled += record.kind == PerfRecord::Kind::throttled;
  });
  if (!sound) ++losses.samples;
  if (plan.read_aux) {
    std::vector<std::byte> bytes;
    if (!read_aux(&event.control(), event.aux(), bytes)) ++losses.samples;
    losses.samples += plan.read_aux(bytes, raw);
  }
  const EventClock clock(event.control());
  for (const RawSample& sample : raw) {
    std::uint64_t time = sample.time;
    if (plan.clock == SampledEvent::Clock::perf) time = clock.of_perf(time);
    if (plan.clock == SampledEvent::Clock::counter) time = clock.of_counter(time);
    out.push_back({.address = sample.address,
                   .lane = lanes_.at(time),
                   .write = sample.write,
                   .latency = Nanoseconds(static_cast<double>(sample.cycles)),
                   .time = Nanoseconds(static_cast<double>(time))});
  }
}

}  // namespace lbhm::sampling
