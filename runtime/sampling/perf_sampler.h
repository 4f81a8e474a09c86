// Samples that the kernel or the processor takes of each thread by itself, whatever the events are.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/sampling/sampler_plan.h"
#include "runtime/sampling/samplers.h"
#include "runtime/sampling/thread_buffer.h"

namespace lbhm::sampling {

class PerfSampler final : public ThreadSampler {
 public:
  PerfSampler(SamplerPlan plan, const SamplerOptions& options);

  void lane_begins(LaneId lane) override;
  void thread_ends() override;
  std::vector<std::string> remarks() override;

  AccessCount period() const override { return AccessCount(static_cast<double>(period_.load())); }
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
