// Would the right events be opened on processors that this machine does not have?
#include <gmock/gmock.h>

#include "runtime/host/sampling/perf_record.h"
#include "runtime/host/sampling/sampler_plan.h"
#include "tests/runtime/host/sampling/made_up_ring.h"
#include "tests/runtime/host/sampling/made_up_units.h"

namespace lbhm::sampling {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t data_source(std::uint64_t op, std::uint64_t level, std::uint64_t number) {
  return op << PERF_MEM_OP_SHIFT | level << PERF_MEM_LVL_SHIFT | number << PERF_MEM_LVLNUM_SHIFT;
}
constexpr std::uint64_t ram_load =
    data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM, PERF_MEM_LVLNUM_RAM);

TEST(DataSource, CachesAndMemoriesAreToldApart) {
  EXPECT_EQ(served_by(ram_load), DataSource::memory);
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3, PERF_MEM_LVLNUM_L3)),
            DataSource::cache);
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_PMEM)), DataSource::memory);
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_CXL)), DataSource::memory);
  // Old kernels give no number.
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_RAM1, 0)), DataSource::memory);
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L2, 0)), DataSource::cache);
  // "Missed L1" names the level that was missed, not the one that served.
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_STORE, PERF_MEM_LVL_MISS | PERF_MEM_LVL_L1, PERF_MEM_LVLNUM_L1)),
            DataSource::unknown);
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_MISS | PERF_MEM_LVL_L3, PERF_MEM_LVLNUM_NA)),
            DataSource::memory);
  EXPECT_EQ(served_by(data_source(PERF_MEM_OP_NA, PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_NA)), DataSource::unknown);
}

TEST(Pebs, LoadsAndStoresOfEachUnit) {
  made_up::Units units;
  units.add_intel("cpu_core", "4");
  units.add_intel("cpu_atom", "10");
  const auto plan = plan_pebs(units.root(), AccessCount(10000));
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->events.size(), 4U);
  EXPECT_EQ(plan->period, 10000U);
  const perf_event_attr& loads = plan->events[0].spec.attr;
  EXPECT_EQ(loads.type, 10U);
  EXPECT_EQ(loads.config, 0x1cdU);
  EXPECT_EQ(loads.config1, 128U);
  EXPECT_EQ(loads.precise_ip, 2U);
  EXPECT_TRUE(loads.exclude_kernel);
  EXPECT_FALSE(loads.use_clockid);  // would turn the hardware's own buffer off
  EXPECT_EQ(plan->events[1].spec.attr.config, 0x82d0U);
}

TEST(Pebs, ProcessorsThatAskForItGetTheAuxiliaryEventFirst) {
  made_up::Units units;
  units.add_intel("cpu", "4");
  units.write("cpu/events/mem-loads-aux", "event=0x03,umask=0x82");
  const auto plan = plan_pebs(units.root(), AccessCount(1000));
  ASSERT_TRUE(plan);
  ASSERT_TRUE(plan->events[0].spec.leader);
  EXPECT_EQ(plan->events[0].spec.leader->config, 0x8203U);
  EXPECT_EQ(plan->events[0].spec.leader->sample_period, 0U);
  EXPECT_FALSE(plan->events[1].spec.leader);
}

TEST(Pebs, SamplesOfCachesAreLeftOut) {
  made_up::Units units;
  units.add_intel("cpu", "4");
  const auto plan = plan_pebs(units.root(), AccessCount(1000));
  ASSERT_TRUE(plan);
  const auto read = plan->events[0].read;
  const auto sample = read({.thread = 1, .time = 5, .address = 0x1000, .weight = 400, .data_source = ram_load});
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->address, 0x1000U);
  EXPECT_EQ(sample->cycles, 400U);
  EXPECT_FALSE(sample->write);
  EXPECT_FALSE(read({.address = 0, .data_source = ram_load}));
  const auto l2 = data_source(PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L2, PERF_MEM_LVLNUM_L2);
  EXPECT_FALSE(read({.address = 0x1000, .data_source = l2}));
  const auto missed = data_source(PERF_MEM_OP_STORE, PERF_MEM_LVL_MISS | PERF_MEM_LVL_L1, PERF_MEM_LVLNUM_NA);
  EXPECT_TRUE(read({.address = 0x1000, .data_source = missed})->write);
}

TEST(Pebs, WithoutTheUnitTheRemedyIsNamed) {
  made_up::Units units;
  const auto plan = plan_pebs(units.root(), AccessCount(1000));
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message(), HasSubstr("needs an Intel processor"));
}

TEST(Ibs, CountsOperationsAndOnlyL3MissesWhereItCan) {
  made_up::Units units;
  units.write("ibs_op/type", "11");
  units.write("ibs_op/format/cnt_ctl", "config:19");
  ASSERT_TRUE(plan_ibs(units.root(), AccessCount(1000)));
  EXPECT_EQ(plan_ibs(units.root(), AccessCount(1000))->events[0].spec.attr.config, 1U << 19);
  EXPECT_EQ(plan_ibs(units.root(), AccessCount(1000))->period, 992U);  // steps of 16
  EXPECT_EQ(plan_ibs(units.root(), AccessCount(1))->period, 0x90U);
  units.write("ibs_op/format/l3missonly", "config:16");
  EXPECT_EQ(plan_ibs(units.root(), AccessCount(1000))->events[0].spec.attr.config, 1U << 19 | 1U << 16);
}

/// PERF_SAMPLE_RAW of one operation.
std::vector<std::byte> registers(std::uint64_t data2, std::uint64_t data3, std::uint64_t address) {
  return made_up::bytes_of(std::uint32_t{0x1bff}, std::uint64_t{0}, std::uint64_t{0x401000}, std::uint64_t{0}, data2,
                           data3, address, std::uint64_t{0});
}

TEST(Ibs, OnlyMemoryAccessesAreKept) {
  constexpr std::uint64_t load = 1, store = 2, miss = 1 << 7, valid = 1 << 17, latency = std::uint64_t{250} << 32;
  const auto sample = read_ibs_registers(registers(3, load | miss | valid | latency, 0x7000));
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->address, 0x7000U);
  EXPECT_EQ(sample->cycles, 250U);
  EXPECT_FALSE(sample->write);
  EXPECT_TRUE(read_ibs_registers(registers(0 | 1 << 6, load | miss | valid, 0x7000)));  // source 8: CXL on Zen 4
  EXPECT_TRUE(read_ibs_registers(registers(0, store | miss | valid, 0x7000))->write);
  EXPECT_FALSE(read_ibs_registers(registers(2, load | miss | valid, 0x7000)));  // another cache
  EXPECT_FALSE(read_ibs_registers(registers(3, load | valid, 0x7000)));         // hit
  EXPECT_FALSE(read_ibs_registers(registers(3, load | miss, 0x7000)));          // no address
  EXPECT_FALSE(read_ibs_registers(registers(3, miss | valid, 0x7000)));         // neither load nor store
}

TEST(Ibs, CutRegistersAreNoSample) {
  const auto whole = registers(3, 1 | 1 << 7 | 1 << 17, 0x7000);
  for (std::size_t bytes = 0; bytes < 4 + 6 * 8; ++bytes)
    EXPECT_FALSE(read_ibs_registers(std::span(whole).first(bytes))) << bytes;
}

TEST(Spe, LoadsAndStoresWithTimeOfEachUnit) {
  made_up::Units units;
  for (const char* unit : {"arm_spe_0", "arm_spe_1"}) {
    const std::string folder = unit;
    units.write(folder + "/type", folder.back() == '0' ? "8" : "9");
    units.write(folder + "/format/ts_enable", "config:0");
    units.write(folder + "/format/jitter", "config:16");
    units.write(folder + "/format/load_filter", "config:33");
    units.write(folder + "/format/store_filter", "config:34");
  }
  const auto plan = plan_spe(units.root(), AccessCount(4096));
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->events.size(), 2U);
  EXPECT_EQ(plan->events[1].spec.attr.type, 9U);
  EXPECT_EQ(plan->events[0].spec.attr.config, 0x600010001U);
  EXPECT_GT(plan->events[0].spec.aux_bytes, 0U);
}

}  // namespace
}  // namespace lbhm::sampling
