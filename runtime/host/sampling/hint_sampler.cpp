#include "runtime/host/sampling/hint_sampler.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <tuple>

#include "runtime/host/sampling/fault_gate.h"
#include "runtime/host/sampling/hint_faults.h"
#include "runtime/host/sampling/thread_buffer.h"
#include "runtime/host/sampling/watching.h"

namespace lbhm::sampling {
namespace {

/// Each watched page may become a mapping of its own, with another one between it and the next: this many leave the
/// program three quarters of the 65530 mappings that Linux allows a process (vm.max_map_count).
constexpr std::size_t most_watched = 8192;
/// A region begins with this part of the faults that may come now; the others are for its later windows. An assumption.
constexpr std::size_t begins_with = 4;
/// As long as nobody knows what a fault costs here, so many pages show it. An assumption: about 3 ms.
constexpr std::size_t trial_pages = 256;
/// Within a region touched pages are armed again so often. An assumption: short regions get several windows, and an
/// idle look costs a hundred system calls a second.
constexpr Nanoseconds between_windows{10e6};
constexpr double line_bytes = 64;

thread_local LaneId lane_of_thread{0};

/// Processor time of the calling thread, ns: what a loaded computer does meanwhile is no cost of arming.
std::uint64_t thread_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

class HintSampler final : public ThreadSampler {
 public:
  explicit HintSampler(const SamplerOptions& options)
      : options_(options),
        page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        gate_(
            options.most_per_second, [] { return lane_of_thread; }, options.root),
        arming_(most_faulting * 1e9, monotonic_ns()),
        period_(static_cast<double>(page_) / line_bytes) {}
  ~HintSampler() override { HintFaults::of_process().disarm_all(); }

  void lane_begins(LaneId lane) override { lane_of_thread = lane; }
  SampleOf of() const override { return SampleOf::pages; }
  void thread_ends() override {}
  void released(std::uintptr_t address, Bytes bytes) override {
    // Nobody can arm it again before it is gone: SamplerOptions::managed.
    const watching::Pause pause(reinterpret_cast<const void*>(address), bytes.value);
  }
  Nanoseconds interval() const override { return between_windows; }
  AccessCount period() const override { return AccessCount(period_.load()); }

  void region_begins() override {
    timed([this] {
      if (open_++ > 0 || !on_) return;
      ++regions_;
      const bool affordable = may_arm();
      options_.managed([&](std::span<const ManagedRange> ranges) {
        existing_ += static_cast<double>(pages_in(ranges, page_));
        if (affordable) watch(ranges);
      });
      if (watching_ == 0 && !HintFaults::of_process().rests()) ++(watched_.empty() ? unwatched_ : refused_);
    });
  }

  void region_ends() override {
    timed([this] {
      if (open_ == 0) return;
      --open_;
      if (open_ > 0) return;
      HintFaults::of_process().disarm_all();
      watched_.clear();
      watching_ = 0;
    });
  }

  void interval_passed() override {
    timed([this] {
      if (open_ == 0 || !on_) return;
      options_.managed([this](std::span<const ManagedRange> ranges) {
        if (!watched_.empty()) {
          next_window(ranges);
        } else if (may_arm()) {  // a long region that began unwatched
          watch(ranges);
        }
      });
    });
  }

  void set_period(AccessCount period) override {
    const std::lock_guard guard(lock_);
    on_ = period.value > 0;
    if (on_) least_step_ = static_cast<std::size_t>(std::clamp(period.value * line_bytes / double(page_), 1.0, 0x1p40));
  }

  std::uint64_t drain(std::vector<AccessSample>& out) override;
  std::vector<std::string> remarks() override;

 private:
  /// One caller at a time; what it costs goes on the account of arming. Without memory nothing is watched.
  template <class Work>
  void timed(const Work& work) {
    const std::lock_guard guard(lock_);
    const std::uint64_t begin = thread_ns();
    try {
      work();
    } catch (const std::exception&) { watched_.clear(); }
    spent_ += thread_ns() - begin;
  }
  bool may_arm() { return arming_.grant(monotonic_ns(), std::exchange(spent_, 0), 0) > 0; }
  void watch(std::span<const ManagedRange> ranges);
  void next_window(std::span<const ManagedRange> ranges);
  void finish(std::span<AccessSample> samples) const;

  SamplerOptions options_;
  const std::size_t page_;
  FaultGate gate_;
  std::mutex lock_;  // of everything below
  FaultBudget arming_;
  std::uint64_t spent_ = 0;  // ns, not yet on the account
  bool on_ = true;
  std::size_t open_ = 0;                 // regions under way
  std::vector<std::uintptr_t> watched_;  // in this region
  std::size_t watching_ = 0;             // of them the kernel let us arm
  std::size_t rotation_ = 0, least_step_ = 1;
  double existing_ = 0, armed_ = 0;  // pages times windows
  std::atomic<double> period_;
  std::uint64_t regions_ = 0, unwatched_ = 0;
  std::uint64_t refused_ = 0;  // regions in which none of the chosen pages could be armed
  std::uint64_t given_back_ = 0;
};

/// Chooses pages for a region and arms them.
void HintSampler::watch(std::span<const ManagedRange> ranges) {
  const std::size_t total = pages_in(ranges, page_);
  const bool trial = options_.most_per_second == 0 && HintFaults::of_process().resolved() < trial_pages / 2;
  const std::size_t most = std::min(trial ? trial_pages : most_watched, gate_.grant() / begins_with);
  if (total == 0 || most < block_pages) return;
  const std::size_t step = std::max((total + most - 1) / most, least_step_);
  watched_ = choose_pages(ranges, page_, step, rotation_++);
  watching_ = gate_.arm(watched_, Armed::for_sample);
  armed_ += static_cast<double>(watching_);
}

/// Arms again what was touched; where that costs too much now the window becomes longer. What was freed meanwhile is
/// somebody else's memory by now, perhaps our own.
void HintSampler::next_window(std::span<const ManagedRange> ranges) {
  std::erase_if(watched_, [&](std::uintptr_t page) { return !within(ranges, page); });
  const auto still = std::make_unique<bool[]>(watched_.size());
  HintFaults::of_process().untouched(watched_, Armed::for_sample, {still.get(), watched_.size()});
  std::vector<std::uintptr_t> touched;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (!still[i]) touched.push_back(watched_[i]);
  }
  if (touched.empty() || touched.size() > gate_.grant() || !may_arm()) return;
  watching_ = gate_.arm(touched, Armed::for_sample) + watched_.size() - touched.size();
  existing_ += static_cast<double>(pages_in(ranges, page_));
  armed_ += static_cast<double>(watching_);
}

std::uint64_t HintSampler::drain(std::vector<AccessSample>& out) {
  const std::lock_guard guard(lock_);
  const HintFaults::Found found = HintFaults::of_process().drain(Armed::for_sample);
  given_back_ += found.given_back;
  if (armed_ > 0) period_ = static_cast<double>(page_) / line_bytes * std::max(existing_ / armed_, 1.0);
  std::vector<AccessSample> fresh;
  fresh.reserve(found.faults.size());
  for (const HintFault& fault : found.faults)
    fresh.push_back(
        {.address = fault.page, .lane = fault.lane, .write = fault.write, .latency = {}, .time = fault.time});
  finish(fresh);
  std::ranges::sort(fresh, {}, [](const AccessSample& s) { return std::tuple(s.lane, s.time); });
  out.insert(out.end(), fresh.begin(), fresh.end());
  return found.unrecorded;
}

/// Tiers, and the clock that the others expect.
void HintSampler::finish(std::span<AccessSample> samples) const {
  const double offset = options_.now ? options_.now().value - static_cast<double>(monotonic_ns()) : 0;
  std::vector<std::uintptr_t> pages;
  std::vector<TierId> tiers(samples.size(), no_tier);
  for (const AccessSample& sample : samples) pages.push_back(sample.address);
  if (options_.where) options_.where(pages, tiers);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].tier = tiers[i];
    samples[i].time += Nanoseconds(offset);
  }
}

std::vector<std::string> HintSampler::remarks() {
  const std::lock_guard guard(lock_);
  std::vector<std::string> sentences{
      "samples are hint faults, each counted as one walk over a page; inside of parallel regions a system call on "
      "managed memory may fail with EFAULT (if the program does that, set LBHM_SAMPLER=faults)"};
  if (unwatched_ > 0) {
    sentences.push_back(std::to_string(unwatched_) + " of " + std::to_string(regions_) +
                        " parallel regions began unwatched, to keep the cost of hint faults below its bound");
  }
  if (refused_ > 0) {
    sentences.push_back("in " + std::to_string(refused_) + " of " + std::to_string(regions_) +
                        " parallel regions no page could be watched: hint faults need /proc/self/maps and mprotect; "
                        "allow both, or set LBHM_SAMPLER=faults");
  }
  if (given_back_ > 0) {
    sentences.push_back(std::to_string(given_back_) +
                        " pages went unwatched: the process has as many mappings as the kernel allows; raise "
                        "/proc/sys/vm/max_map_count");
  }
  if (std::string rested = HintFaults::of_process().remark(); !rested.empty()) sentences.push_back(std::move(rested));
  return sentences;
}

}  // namespace

Result<std::unique_ptr<ThreadSampler>> make_hint_sampler(const SamplerOptions& options) {
  if (!options.managed) {
    return failure(StatusCode::unavailable,
                   "sampler hints: this machine does not tell which memory LB-HM manages; use LBHM_SAMPLER=faults");
  }
  return std::make_unique<HintSampler>(options);
}

}  // namespace lbhm::sampling
