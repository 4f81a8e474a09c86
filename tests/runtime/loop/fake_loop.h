// The loop of the engine and its services on a fake machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/loop/phase_loop.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {

/// One lane; f is analytic, and the policy is never called at intervals. The test moves the clock by its regions.
class FakeLoop {
 public:
  /// `beside`: plans are made by decide(). `bits`: LBHM_BASE_PROFILE=bits, with a policy that is said to act.
  explicit FakeLoop(const std::vector<std::uint64_t>& tier_pages, bool report = true, bool beside = false,
                    bool bits = false, std::string_view policy_name = "merchandiser-once")
      : FakeLoop(*make_policy(policy_name), tier_pages, report, beside, bits) {}
  FakeLoop(std::unique_ptr<Policy> of, const std::vector<std::uint64_t>& tier_pages, bool report = true,
           bool beside = false, bool bits = false)
      : machine(tier_pages),
        policy(std::move(of)),
        recorder(report, false),
        loop({machine, *policy, objects, tracker, samples, found, knowledge, recorder, actor}, {.needs = needs,
                                                                                                .placing = true,
                                                                                                .intervals = bits,
                                                                                                .beside = beside,
                                                                                                .bits = bits,
                                                                                                .finds_phases = true,
                                                                                                .model = "analytic"}) {
    loop.attach(lanes);
  }

  /// An object of so many pages, all of them in tier 1.
  std::uintptr_t make_object(const char* name, std::uint64_t pages, std::uintptr_t address = 0) {
    const Bytes bytes = page * pages;
    if (address == 0) address = reinterpret_cast<std::uintptr_t>(*machine.reserve(bytes, page));
    machine.put(address, pages, TierId(1));
    Object object;
    object.address = address;
    object.bytes = bytes;
    object.name = name;
    object.site = site_of_name(name);
    if (!objects.add(object)) std::abort();
    return address;
  }

  PhaseObject listed(std::uintptr_t address) const {
    const Object object = *objects.find(address);
    return {.address = address, .bytes = object.bytes, .name = object.name, .site = object.site};
  }

  /// A region that makes `accesses` accesses to each page of the object at `used` and takes `time`, most of it waiting.
  void run_region(std::uintptr_t used, int accesses, Nanoseconds time) {
    static const char code = 0;
    run_region(&code, used, accesses, time);
  }
  /// The same of the construct at `code`.
  void run_region(const void* code, std::uintptr_t used, int accesses, Nanoseconds time) {
    RegionInstance* const region = lanes.region_begin(code);
    lanes.lane_begin(region, LaneId(0), 1);
    clock_ += time;
    machine.fake_execution().set_clock(clock_);
    const double cycles = time.value * machine.topology().cycles_per_nanosecond;
    events_.cycles += cycles;
    events_.instructions += cycles / 2;
    events_.memory_wait_cycles += 0.9 * cycles;
    machine.set_events(events_);
    const std::uint64_t count = objects.find(used)->bytes.value / page.value;
    for (std::uint64_t number = 0; number < count; ++number) {
      const std::uintptr_t address = used + number * page.value;
      const TierId tier = machine.tier_of(address);
      for (int i = 0; i < accesses; ++i)
        machine.fake_samples().add(
            {.address = address, .lane = LaneId(0), .tier = tier, .latency = Nanoseconds(200), .time = clock_});
    }
    lanes.lane_end();
    lanes.region_end();
  }

  fake::FakeMachine machine;
  Bytes page = machine.topology().page;
  std::unique_ptr<Policy> policy;
  Needs needs = policy->needs(machine.topology());
  ObjectRegistry objects;
  PageTracker tracker{machine};
  SampleFeed samples{machine};
  FoundPages found;
  Knowledge knowledge{machine.topology(), {}};
  Recorder recorder;
  Actor actor{machine, needs.first_touch, std::nullopt, [this](auto moved) { tracker.moved(moved); }};
  PhaseLoop loop;
  PageIntervals intervals{machine.execution(), nullptr};
  Lanes lanes{machine, {.machine_counts = true}, intervals, loop};

 private:
  Nanoseconds clock_{1000};
  EventCounts events_;
};

}  // namespace lbhm
