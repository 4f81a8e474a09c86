// Accessed bits, hint faults, and what moving pages costs the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "emulator/machine/emulated_machine.h"
#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr std::chrono::seconds patience{20};
constexpr std::uint64_t base = 0x7000'0000'0000;

std::array<std::uintptr_t, 3> three_pages() { return {base, base + 4096, base + 8192}; }

std::array<bool, 3> accessed(EmulatedMachine& machine, bool clear) {
  const auto pages = three_pages();
  std::array<bool, 3> bits{};
  machine.scan_accessed(pages, bits, clear);
  return bits;
}

/// One access alone, to its end.
Picoseconds time_of_access(CoreModel& core, std::uint64_t address) {
  const Picoseconds before = core.clock();
  core.begin({}, 1);
  core.run(std::vector{address}, never);
  core.drain();
  return core.clock() - before;
}

TEST(Observer, AccessedBitsCostTheScanAndAreCleared) {
  MachineDescription description = small_machine();
  description.observation.scan = 7 * ns;
  EmulatedMachine machine(description, patience);
  ASSERT_NE(machine.observer(), nullptr);
  instrumented().access(base);
  instrumented().access(base + 8192);
  const double before = machine.execution().now().value;
  EXPECT_THAT(accessed(machine, false), testing::ElementsAre(true, false, true));
  EXPECT_THAT(accessed(machine, true), testing::ElementsAre(true, false, true));
  EXPECT_THAT(accessed(machine, false), testing::ElementsAre(false, false, false));
  EXPECT_EQ(machine.execution().now().value, before + 3 * 3 * 7);
}

TEST(Observer, APageThatIsAccessedBetweenTwoScansIsFoundByBothThoughTheTlbHolds) {
  EmulatedMachine machine(small_machine(), patience);
  instrumented().access(base);
  instrumented().access(base + 4096);
  accessed(machine, true);
  instrumented().access(base + 64);
  EXPECT_THAT(accessed(machine, true), testing::ElementsAre(true, false, false)) << "its translation fell out";
  EXPECT_THAT(accessed(machine, true), testing::ElementsAre(false, false, false)) << "not accessed since";
}

TEST(Observer, AnArmedPageFaultsOnceAndTellsWhoAndHow) {
  MachineDescription description = small_machine();
  description.observation.hint_fault = 500 * ns;
  EmulatedMachine machine(description, patience);
  instrumented().access(base);
  machine.execution().now();
  const std::uintptr_t pages[] = {base, base + 4096};
  machine.arm_hint_faults(pages);
  const double before = machine.execution().now().value;
  instrumented().access(base + 64, LBHM_EMU_WRITE);
  instrumented().access(base + 4096);  // nobody had touched this page when it was to be armed
  EXPECT_GE(machine.execution().now().value, before + 500);
  for (int i = 0; i < 100; ++i) instrumented().access(base, 0, 1000);  // beyond the quantum
  machine.execution().now();
  std::vector<HintFault> faults;
  machine.drain_hint_faults(faults);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].page, base);
  EXPECT_EQ(faults[0].lane, LaneId(0));
  EXPECT_TRUE(faults[0].write);
  machine.drain_hint_faults(faults);
  EXPECT_EQ(faults.size(), 1u) << "drained";
}

TEST(Observer, PausedAccessesSetBitsAndMeetHintFaultsForFree) {
  MachineDescription description = small_machine();
  description.observation.hint_fault = 500 * ns;
  EmulatedMachine machine(description, patience);
  instrumented().access(base);
  machine.execution().now();
  machine.arm_hint_faults(std::array{std::uintptr_t{base}});
  const double before = machine.execution().now().value;
  machine.execution().measure(false);
  instrumented().access(base + 64, LBHM_EMU_WRITE);
  instrumented().access(base + 8192);
  EXPECT_EQ(machine.execution().now().value, before);
  machine.execution().measure(true);
  EXPECT_THAT(accessed(machine, false), testing::ElementsAre(true, false, true));
  for (int i = 0; i < 100; ++i) instrumented().access(base, 0, 1000);  // beyond the quantum
  machine.execution().now();
  std::vector<HintFault> faults;
  machine.drain_hint_faults(faults);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].page, base);
  EXPECT_EQ(faults[0].time.value, before);
  EXPECT_TRUE(faults[0].write);
}

TEST(PageWatch, OfSeveralFaultsOfAQuantumTheFirstInVirtualTimeStands) {
  PageWatch watch;
  watch.arm(5);
  EXPECT_TRUE(watch.filled(5));
  watch.fault(5, {.page = 4096, .lane = LaneId(3), .time = Nanoseconds(70)});
  watch.fault(5, {.page = 4096, .lane = LaneId(1), .time = Nanoseconds(50)});
  watch.end_quantum();
  EXPECT_FALSE(watch.filled(5));
  std::vector<HintFault> faults;
  watch.drain(faults);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].lane, LaneId(1));
}

TEST(Moves, CostTheCallerAShootdownABatchAndAtMostTheThreadsCopyBandwidth) {
  MachineDescription description = small_machine();
  description.migration = {
      .page = 160 * ns, .copy_bandwidth = BytesPerNanosecond(8), .shootdown = 2000 * ns, .interrupt = 0};
  EmulatedMachine machine(description, patience);
  for (const std::uintptr_t page : three_pages()) instrumented().access(page);
  const double before = machine.execution().now().value;
  PageStatus status[3];
  machine.move(three_pages(), TierId(1), status);
  EXPECT_EQ(machine.execution().now().value - before, 2000 + 3 * (160 + 4096 / 8));
  machine.move(three_pages(), TierId(1), status);
  EXPECT_EQ(machine.execution().now().value - before, 2000 + 3 * (160 + 4096 / 8)) << "nothing was moved";
}

TEST(Moves, InterruptTheOtherCoresOnceTheQuantumIsOver) {
  MachineDescription description = small_machine();
  description.migration.interrupt = 700 * ns;
  description.core.walk_cycles = 30;
  PageMap pages(description);
  CoreModel core(description, pages, 1, {});
  const auto run = [&](std::uint64_t address) { return time_of_access(core, address); };
  EXPECT_EQ(run(base), 130 * ns);
  const PageNumber moved[] = {base >> page_bits};
  pages.flushes().add(0, moved);
  EXPECT_EQ(run(base + 64), 100 * ns) << "not before";
  pages.end_quantum();
  EXPECT_EQ(run(base + 128), (700 + 110) * ns) << "the page table's line is at hand: a hit of the second level";
  pages.flushes().add(1, moved);
  pages.end_quantum();
  EXPECT_EQ(run(base + 1024), 100 * ns) << "a flush of its own cost it nothing more, nor what it was to forget";
}

TEST(Observer, FaultsOfOneCoreAtOneTimeKeepTheirOrderWhoeverElseFaults) {
  constexpr PageId pages = 40;
  const auto drained = [](bool others_first) {
    PageWatch watch;
    const auto fault = [&](PageId page, std::uint32_t lane) {
      watch.arm(page);
      watch.fault(page, {.page = page, .lane = LaneId(lane), .time = Nanoseconds(7)});
    };
    for (PageId page = 0; page < pages; ++page) {
      if (others_first) fault(pages + page, 1);
      fault(page, 0);
      if (!others_first) fault(pages + page, 1);
    }
    watch.end_quantum();
    std::vector<HintFault> faults;
    watch.drain(faults);
    std::vector<std::uintptr_t> order;
    for (const HintFault& each : faults) order.push_back(each.page);
    return order;
  };
  EXPECT_THAT(drained(true), testing::ElementsAreArray(drained(false)));
}

TEST(Moves, TranslationsThatFellOutInterruptNobody) {
  MachineDescription description = small_machine();
  description.migration.interrupt = 700 * ns;
  description.core.walk_cycles = 30;
  PageMap pages(description);
  CoreModel core(description, pages, 1, {});
  const auto run = [&](std::uint64_t address) { return time_of_access(core, address); };
  run(base);
  const PageNumber cleared[] = {base >> page_bits};
  pages.flushes().fell_out(0, cleared, 8);
  EXPECT_EQ(run(base + 64), 100 * ns) << "not before the quantum's end";
  pages.end_quantum();
  EXPECT_EQ(run(base + 128), 110 * ns) << "the walk, without an interrupt";
  pages.flushes().fell_out(0, std::vector<PageNumber>(9, 12345), 8);
  pages.end_quantum();
  EXPECT_EQ(run(base + 1024), 110 * ns) << "more pages than the TLB holds: nothing of it is left";
}

TEST(Moves, ManyPagesFlushTheWholeTlb) {
  MachineDescription description = small_machine();
  description.core.walk_cycles = 30;
  PageMap pages(description);
  CoreModel core(description, pages, 1, {});
  core.begin({}, 1);
  core.run(std::vector{base}, never);
  core.drain();
  pages.flushes().add(0, std::vector<PageNumber>(TlbFlushes::most_single_pages + 1, 12345));
  pages.end_quantum();
  core.begin({}, 1);
  core.run(std::vector{base + 64}, never);
  EXPECT_EQ(core.tlb_misses(), 2u);
}

}  // namespace
}  // namespace lbhm::emulator
