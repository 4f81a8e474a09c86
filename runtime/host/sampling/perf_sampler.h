// Samples that the kernel or the processor takes of each thread by itself, whatever the events are, and what keeps
// their cost within bounds: the period grows while they come too fast.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/host/sampling/sampler_plan.h"
#include "runtime/host/sampling/samplers.h"
#include "runtime/host/sampling/thread_buffer.h"

namespace lbhm::sampling {

/// Sampling may cost a thread this share of its time. An assumption: what users do not notice.
inline constexpr double most_overhead = 0.01;

/// Samples a second of one thread that cost `most_overhead`, if one costs this much.
constexpr double most_per_second(double nanoseconds_per_sample) { return most_overhead * 1e9 / nanoseconds_per_sample; }

/// The period for the next interval, after one in which `samples` came (lost ones included) within `seconds`. Doubles
/// until at most `most` a second would have come, sixteenfold at once at most, so that one burst does not make the
/// sampler blind; halves, but not below `asked`, when the rate was far below. The gap between the two bounds keeps it
/// from swinging.
constexpr std::uint64_t next_period(std::uint64_t period, std::uint64_t asked, std::uint64_t samples, double seconds,
                                    double most) {
  if (!(seconds > 0) || !(most > 0)) return period;
  constexpr std::uint64_t longest = std::uint64_t{1} << 40;  // within what counters of 48 bits hold
  double rate = static_cast<double>(samples) / seconds;
  for (int step = 0; step < 4 && rate > most && period < longest; ++step) {
    period *= 2;
    rate /= 2;
  }
  while (rate < most / 8 && period / 2 >= asked) {
    period /= 2;
    rate *= 2;
  }
  return period;
}

class PerfSampler final : public ThreadSampler {
 public:
  PerfSampler(SamplerPlan plan, const SamplerOptions& options);

  void lane_begins(LaneId lane) override;
  void thread_ends() override;
  std::vector<std::string> remarks() override;

  AccessCount period() const override { return AccessCount(static_cast<double>(period_.load())); }
  SampleOf of() const override { return plan_.of; }
  std::uint64_t drain(std::vector<AccessSample>& out) override;
  /// Of what the sampler counts: accesses, operations or faults.
  void set_period(AccessCount period) override;

 private:
  ThreadBuffer* open_buffer();
  void forget_oldest_ended();
  void apply_period(std::uint64_t period);
  void limit(std::uint64_t samples);
  void thin(std::vector<AccessSample>& samples, std::uint64_t before);
  void finish(std::span<AccessSample> samples);

  SamplerPlan plan_;
  SamplerOptions options_;
  const std::uint64_t number_;  // of this sampler: threads keep it beside their buffer
  double nanoseconds_per_cycle_;
  std::mutex lock_;  // of everything below
  std::vector<std::unique_ptr<ThreadBuffer>> buffers_;
  std::atomic<std::uint64_t> period_;
  std::uint64_t asked_;
  bool on_ = true;
  std::uint64_t drained_at_;
  std::uint64_t unsampled_threads_ = 0;
  std::uint64_t forgotten_threads_ = 0;
  std::set<std::string> refusals_;
  std::uint64_t throttled_ = 0;
  std::uint64_t limited_ = 0;
};

}  // namespace lbhm::sampling
