#include "runtime/host/sampling/perf_sampler.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <tuple>

#include "runtime/host/sampling/thread_buffer.h"

namespace lbhm::sampling {
namespace {

std::atomic<std::uint64_t> samplers{0};

/// The buffer of the calling thread, and the number of the sampler that it belongs to.
struct Mine {
  std::uint64_t sampler = 0;
  ThreadBuffer* buffer = nullptr;  // null: this thread cannot be sampled
};
thread_local Mine mine;

/// Of a core at its highest frequency; 0: unknown. Processors give latencies in cycles.
double nanoseconds_per_cycle(const std::string& root) {
  std::ifstream file(root + "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  double kilohertz = 0;
  return file >> kilohertz && kilohertz > 0 ? 1e6 / kilohertz : 0;
}

}  // namespace

PerfSampler::PerfSampler(SamplerPlan plan, const SamplerOptions& options)
    : plan_(std::move(plan)),
      options_(options),
      number_(++samplers),
      nanoseconds_per_cycle_(nanoseconds_per_cycle(options.root)),
      period_(plan_.period),
      asked_(plan_.period),
      drained_at_(monotonic_ns()) {}

ThreadBuffer* PerfSampler::open_buffer() {
  auto opened = ThreadBuffer::open(plan_);
  const std::lock_guard guard(lock_);
  if (!opened) {
    ++unsampled_threads_;
    refusals_.insert(opened.error().message());
    return nullptr;
  }
  (*opened)->set_period(on_ ? period_.load() : 0);
  return buffers_.emplace_back(std::move(*opened)).get();
}

void PerfSampler::lane_begins(LaneId lane) {
  try {
    if (mine.sampler != number_) mine = {number_, open_buffer()};
    if (mine.buffer) mine.buffer->lane_begins(lane);
  } catch (const std::exception&) {  // no memory: this thread goes unsampled
    mine = {number_, nullptr};
  }
}

void PerfSampler::thread_ends() {
  if (mine.sampler != number_) return;
  if (mine.buffer) {
    mine.buffer->thread_ends();
    forget_oldest_ended();
  }
  mine = {};
}

/// Rings are read when somebody drains. Where nobody does, threads that come and go must not fill the memory.
void PerfSampler::forget_oldest_ended() {
  constexpr std::ptrdiff_t most_ended = 64;
  const std::lock_guard guard(lock_);
  const auto has_ended = [](const auto& buffer) { return buffer->ended(); };
  if (std::ranges::count_if(buffers_, has_ended) <= most_ended) return;
  buffers_.erase(std::ranges::find_if(buffers_, has_ended));
  ++forgotten_threads_;
}

void PerfSampler::apply_period(std::uint64_t period) {
  period_ = period;
  for (const auto& buffer : buffers_) buffer->set_period(on_ ? period : 0);
}

void PerfSampler::set_period(AccessCount period) {
  const std::lock_guard guard(lock_);
  on_ = period.value > 0;
  if (on_) asked_ = static_cast<std::uint64_t>(std::min(std::ceil(period.value), 0x1p40));
  apply_period(on_ ? asked_ : period_.load());
}

std::uint64_t PerfSampler::drain(std::vector<AccessSample>& out) {
  const std::lock_guard guard(lock_);
  std::vector<AccessSample> fresh;
  Losses losses;
  for (const auto& buffer : buffers_) buffer->drain(fresh, losses);
  throttled_ += losses.throttled;
  std::erase_if(buffers_, [](const auto& buffer) { return buffer->ended(); });
  const std::uint64_t before = period_;
  limit(fresh.size() + losses.samples);
  thin(fresh, before);
  finish(fresh);
  std::ranges::sort(fresh, {}, [](const AccessSample& s) { return std::tuple(s.lane, s.time); });
  out.insert(out.end(), fresh.begin(), fresh.end());
  return losses.samples;
}

/// Costs of sampling follow the rate since the last call; a bound for all threads, or one for each of them.
void PerfSampler::limit(std::uint64_t samples) {
  const std::uint64_t now = monotonic_ns();
  const double seconds = static_cast<double>(now - drained_at_) * 1e-9;
  drained_at_ = now;
  const double threads = static_cast<double>(std::max<std::size_t>(buffers_.size(), 1));
  const double most =
      options_.most_per_second > 0 ? options_.most_per_second : threads * most_per_second(plan_.nanoseconds_per_sample);
  const std::uint64_t next = next_period(period_, asked_, samples, seconds, most);
  if (next == period_) return;
  if (next > period_) ++limited_;
  apply_period(next);
}

/// Samples of one drain stand for the period that the caller will read after it: where that has grown meanwhile only
/// as many are kept as would have come with it. Lanes lie one after the other, so all lose the same share.
void PerfSampler::thin(std::vector<AccessSample>& samples, std::uint64_t before) {
  const std::uint64_t keep_one_of = period_ / before;
  if (keep_one_of < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); i += keep_one_of) samples[kept++] = samples[i];
  samples.resize(kept);
}

/// Tiers, and the units that the others expect.
void PerfSampler::finish(std::span<AccessSample> samples) {
  const double monotonic = static_cast<double>(monotonic_ns());
  const double offset = options_.now ? options_.now().value - monotonic : 0;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::vector<std::uintptr_t> pages(samples.size());
  std::vector<TierId> tiers(samples.size(), no_tier);
  for (std::size_t i = 0; i < samples.size(); ++i) pages[i] = samples[i].address & ~(page - 1);
  if (options_.where) options_.where(pages, tiers);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].tier = tiers[i];
    samples[i].time += Nanoseconds(offset);
    samples[i].latency = samples[i].latency * nanoseconds_per_cycle_;
  }
}

std::vector<std::string> PerfSampler::remarks() {
  const std::lock_guard guard(lock_);
  std::vector<std::string> sentences = plan_.remarks;
  if (unsampled_threads_ > 0) {
    std::string sentence = std::to_string(unsampled_threads_) + " threads were not sampled: ";
    for (const std::string& refusal : refusals_) sentence += refusal + ". ";
    sentence.pop_back();
    sentence.pop_back();
    sentences.push_back(std::move(sentence));
  }
  if (forgotten_threads_ > 0) {
    sentences.push_back(std::to_string(forgotten_threads_) +
                        " threads ended long before their samples were wanted, which are lost; let threads live on "
                        "between parallel regions, or call LB_HM_config more often");
  }
  if (throttled_ > 0) {
    sentences.push_back(
        "the kernel stopped sampling for a tick " + std::to_string(throttled_) +
        " times; raise /proc/sys/kernel/perf_event_max_sample_rate, or the period (LBHM_SAMPLE_PERIOD)");
  }
  if (limited_ > 0) {
    sentences.push_back("sampling by " + plan_.name + " was slowed down " + std::to_string(limited_) +
                        " times to keep its cost below its bound; one sample in " + std::to_string(period_) +
                        " at the end");
  }
  return sentences;
}

}  // namespace lbhm::sampling
