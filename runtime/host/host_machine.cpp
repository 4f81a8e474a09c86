// The host as it is: one tier, nothing to place. Lanes are timed by the time-stamp counter.
#include "runtime/machine/machine.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "runtime/base/event_fields.h"
#include "runtime/host/host_execution.h"
#include "runtime/host/machine_threads.h"

namespace lbhm {
namespace {

class HostMachine final : public Machine {
 public:
  HostMachine(std::vector<std::string> remarks, std::string limit)
      : remarks_(std::move(remarks)), limit_(std::move(limit)) {
    if (limit_.empty())
      remarks_.emplace_back(
          "the host has one memory, so nothing can be placed: regions are timed; programs that were built with "
          "lbhm cc --emulate run on emulated machines, too (lbhm run --machine optane; without lbhm "
          "LBHM_MACHINE=optane)");
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    topology_.name = "host";
    topology_.description = "this computer, taken as one memory";
    topology_.page = Bytes(page);
    topology_.hardware_threads = std::thread::hardware_concurrency();
    topology_.tiers.push_back({.name = "memory",
                               .capacity = Bytes(static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page),
                               .latency_sequential = {},
                               .latency_random = {},
                               .read_bandwidth = {},
                               .write_bandwidth = {}});
  }

  const Topology& topology() const override { return topology_; }

  Result<void*> reserve(Bytes bytes, Bytes alignment) override {
    if (alignment > topology_.page)
      return failure(StatusCode::invalid_argument, "the host machine aligns objects to its pages at most");
    void* p = mmap(nullptr, bytes.value, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return failure(StatusCode::no_memory, "mmap found no memory for an object");
    return p;
  }
  void release(void* address, Bytes bytes) override { munmap(address, bytes.value); }

  Status prefer(std::uintptr_t, Bytes, std::span<const TierId>) override { return {}; }
  Status prefer_default(std::span<const TierId>) override { return {}; }
  void where(std::span<const std::uintptr_t>, std::span<TierId> out) override {
    for (TierId& tier : out) tier = TierId(0);
  }
  void move(std::span<const std::uintptr_t>, TierId, std::span<PageStatus> out) override {
    for (PageStatus& status : out) status = PageStatus::already;
  }
  Bytes room(TierId) override { return topology_.tiers[0].capacity; }
  Bytes peak_footprint() override { return Bytes(0); }

  Status every(Nanoseconds interval, std::function<void()> duty) override {
    return run_every(intervals_, interval, std::move(duty));
  }
  Status begin_duties() override { return begin(intervals_); }
  bool duties_rest() override { return intervals_.stop(); }
  void rest_while(std::function<bool()> idle) override { intervals_.rest_while(std::move(idle)); }
  void wake() override { intervals_.wake(); }
  void fall_silent() override { intervals_.end(); }
  Execution& execution() override { return execution_; }
  SampleSource* samples() override { return nullptr; }
  EventCounts events() override { return no_counts(); }
  std::vector<AccessCount> accesses() override { return {}; }
  std::vector<std::string> remarks() override {
    std::vector<std::string> lines = remarks_;
    rusage usage{};
    if (limit_.empty() || getrusage(RUSAGE_SELF, &usage) != 0) return lines;
    lines.push_back(limit_ + ": regions are timed, and none of the " + std::to_string(usage.ru_maxrss) +
                    " KiB in memory are placed");
    return lines;
  }

 private:
  std::vector<std::string> remarks_;
  std::string limit_;
  Topology topology_;
  HostExecution execution_;
  IntervalThread intervals_;
};

}  // namespace

std::unique_ptr<Machine> make_host_machine(std::vector<std::string> remarks, std::string limit) {
  return std::make_unique<HostMachine>(std::move(remarks), std::move(limit));
}

}  // namespace lbhm
