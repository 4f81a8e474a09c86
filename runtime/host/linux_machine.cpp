#include "runtime/host/linux_machine.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <shared_mutex>
#include <utility>

#include "runtime/base/event_fields.h"
#include "runtime/host/host_execution.h"
#include "runtime/host/machine_threads.h"

namespace lbhm {
namespace {

const char* const rare_samples = "samples are taken at the beginning of regions only: ";

thread_local LaneId lane_of_thread{0};
/// Of the machine that is there; threads may end after it.
std::atomic<ThreadSampler*> current_sampler{nullptr};

/// Tells the sampler that its thread ends.
struct ThreadEnd {
  ~ThreadEnd() {
    if (!process.still()) return;
    if (ThreadSampler* const sampler = current_sampler.load(std::memory_order_acquire)) sampler->thread_ends();
  }
  bool armed = false;
  host::OwnProcess process;
};
thread_local ThreadEnd thread_end;

/// Tells sampler and counters which thread is which lane. Serial code may hand any page to a system call, which fails
/// on pages that wait for a hint fault: none does then.
class LinuxExecution final : public HostExecution {
 public:
  explicit LinuxExecution(const host::LinuxParts& parts)
      : HostExecution(parts.clock),
        sampler_(parts.sources.sampler.get()),
        observer_(parts.sources.observer.get()),
        counters_(parts.counters.get()) {}

  void lane_begin(std::uint64_t, LaneId lane, std::uint32_t) override {
    const LaneId before = std::exchange(lane_of_thread, lane);
    const bool first = !std::exchange(thread_end.armed, true);
    if (first) thread_end.process.note();
    if (sampler_ && (first || before != lane)) sampler_->lane_begins(lane);
    if (counters_) counters_->thread_begins();
  }
  std::uint64_t fork() override {
    if (sampler_) sampler_->region_begins();
    return 0;
  }
  void join(std::uint64_t) override {
    if (sampler_) sampler_->region_ends();
    if (observer_) observer_->disarm_all();
  }

 private:
  ThreadSampler* sampler_;
  HostPageObserver* observer_;
  host::Counters* counters_;
};

class LinuxMachine final : public Machine {
 public:
  explicit LinuxMachine(host::LinuxParts parts) : parts_(std::move(parts)), execution_(parts_) {
    ThreadSampler* const sampler = parts_.sources.sampler.get();
    current_sampler.store(sampler, std::memory_order_release);
    if (!sampler || sampler->interval().value == 0) return;
    if (Status status = every(sampler->interval(), [sampler] { sampler->interval_passed(); }); !status.ok())
      parts_.remarks.push_back(rare_samples + status.message());
  }
  ~LinuxMachine() override { current_sampler.store(nullptr, std::memory_order_release); }

  const Topology& topology() const override { return parts_.topology; }

  Result<void*> reserve(Bytes bytes, Bytes alignment) override { return parts_.memory->reserve(bytes, alignment); }
  Result<void*> reserve_behind(Bytes front, Bytes bytes, Bytes alignment, std::optional<LaneId>) override {
    return parts_.memory->reserve(bytes, alignment, front);
  }
  void release(void* address, Bytes bytes) override {
    const std::shared_lock moving(*parts_.in_use);
    if (parts_.sources.observer) disarm(reinterpret_cast<std::uintptr_t>(address), bytes);
    if (parts_.sources.sampler) parts_.sources.sampler->released(reinterpret_cast<std::uintptr_t>(address), bytes);
    parts_.memory->release(address, bytes);
  }
  void adopt(std::uintptr_t address, Bytes bytes) override { parts_.memory->adopt(address, bytes); }
  void disown(std::uintptr_t address, Bytes bytes) override {
    const std::shared_lock moving(*parts_.in_use);
    if (parts_.sources.observer) disarm(address, bytes);
    if (parts_.sources.sampler) parts_.sources.sampler->released(address, bytes);
    parts_.memory->disown(address, bytes);
  }
  // The program goes on when no move is under way that does not know of it.
  void bind(std::uintptr_t address, Bytes bytes, bool bound) override {
    const std::unique_lock alone(*parts_.in_use);
    parts_.memory->bind(address, bytes, bound);
  }
  void bind_by_threads() override {
    const std::unique_lock alone(*parts_.in_use);
    parts_.memory->bind_by_threads();
  }
  Bytes bound(std::uintptr_t address, Bytes bytes) override { return parts_.memory->bound(address, bytes); }
  bool thread_binds() override { return parts_.memory->thread_binds(); }
  void* allocate_block(Bytes bytes, TierId tier) override {
    return parts_.memory->thread_binds() ? nullptr : parts_.heaps->allocate(bytes, tier);
  }
  void release_block(void* block, Bytes bytes) override { parts_.heaps->release(block, bytes); }
  Status prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) override {
    return parts_.memory->prefer(address, bytes, order);
  }
  Status prefer_default(std::span<const TierId> order) override {
    parts_.memory->prefer_default(order);
    return {};
  }
  Status scatter(double fast, std::uint64_t seed) override {
    parts_.memory->scatter(Scatter(fast, seed));
    return {};
  }
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override {
    parts_.memory->where(pages, out);
  }
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) override {
    const std::shared_lock moving(*parts_.in_use);
    // Older kernels cannot move pages that wait for a hint fault.
    if (parts_.sources.observer) parts_.sources.observer->disarm(pages);
    parts_.memory->move(pages, to, out);
  }
  Nanoseconds move_time(Bytes bytes, TierId from, TierId to) const override {
    const auto seen = parts_.memory->copy_bandwidth(to);
    if (from == to || !seen) return Machine::move_time(bytes, from, to);
    return Nanoseconds(static_cast<double>(bytes.value) / seen->value);
  }
  Bytes largest_unit() override { return parts_.memory->largest_unit(); }
  bool moves_whole(std::uintptr_t address) override { return parts_.memory->moves_whole(address); }
  Bytes room(TierId tier) override { return parts_.memory->room(tier); }
  Bytes peak_footprint() override {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return KiB(static_cast<std::uint64_t>(std::max(usage.ru_maxrss, 0l)));
  }

  Execution& execution() override { return execution_; }
  SampleSource* samples() override { return parts_.sources.sampler.get(); }
  PageObserver* observer() override { return parts_.sources.observer.get(); }
  Status every(Nanoseconds interval, std::function<void()> duty) override {
    return run_every(intervals_, interval, std::move(duty));
  }
  Status begin_duties() override {
    Status status = begin(intervals_);
    const bool samples = parts_.sources.sampler && parts_.sources.sampler->interval().value > 0;
    if (!status.ok() && samples) parts_.remarks.push_back(rare_samples + status.message());
    return status;
  }
  bool duties_rest() override { return intervals_.stop(); }
  void rest_while(std::function<bool()> idle) override { intervals_.rest_while(std::move(idle)); }
  void wake() override { intervals_.wake(); }
  void fall_silent() override {
    intervals_.end();
    current_sampler.store(nullptr, std::memory_order_release);
    host::OwnProcess::fall_silent();
  }
  void want_events() override {
    if (parts_.counters) parts_.counters->want();
  }
  EventCounts events() override { return parts_.counters ? parts_.counters->of_thread() : no_counts(); }
  std::optional<EventCounts> all_events() override {
    return parts_.counters ? parts_.counters->of_all() : std::nullopt;
  }
  std::vector<AccessCount> accesses() override { return {}; }

  std::vector<std::string> remarks() override {
    std::vector<std::string> lines = parts_.remarks;
    // Sampler and observer may have the same to say.
    const auto add = [&](const std::vector<std::string>& more) {
      std::ranges::copy_if(more, std::back_inserter(lines),
                           [&](const std::string& line) { return std::ranges::find(lines, line) == lines.end(); });
    };
    add(parts_.memory->remarks());
    add(parts_.heaps->remarks());
    add(parts_.sources.remarks);
    if (parts_.sources.sampler) add(parts_.sources.sampler->remarks());
    if (parts_.sources.observer) add(parts_.sources.observer->remarks());
    if (parts_.counters) add(parts_.counters->remarks());
    return lines;
  }

 private:
  void disarm(std::uintptr_t address, Bytes bytes) {
    const std::uint64_t page = parts_.topology.page.value;
    std::array<std::uintptr_t, 512> pages;  // objects may have millions
    for (std::uintptr_t at = address; at < address + bytes.value;) {
      std::size_t count = 0;
      for (; count < pages.size() && at < address + bytes.value; at += page) pages[count++] = at;
      parts_.sources.observer->disarm(std::span(pages).first(count));
    }
  }

  host::LinuxParts parts_;
  LinuxExecution execution_;
  IntervalThread intervals_;  // the last member: its duties use the others
};

}  // namespace

LaneId host_lane() { return lane_of_thread; }

namespace host {
std::unique_ptr<Machine> make_linux_machine(LinuxParts parts) {
  return std::make_unique<LinuxMachine>(std::move(parts));
}
}  // namespace host
}  // namespace lbhm
