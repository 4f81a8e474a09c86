// How long loads were under way is counted once somebody asks, and takes no time either way.
#include <gtest/gtest.h>

#include <vector>

#include "emulator/core/core_model.h"
#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

/// Loads of lines on different pages, without a common stride.
std::vector<std::uint64_t> unrelated(std::uint64_t first_page) {
  std::vector<std::uint64_t> entries;
  for (std::uint64_t i = 0; i < 8; ++i) entries.push_back(((first_page + i * i) << 12) + i * 64);
  return entries;
}

void run(CoreModel& core, const std::vector<std::uint64_t>& entries) {
  core.begin({}, entries.size());
  EXPECT_EQ(core.run(entries, never), entries.size());
  core.drain();
}

TEST(LoadCounts, BeginWhenSomebodyAsks) {
  MachineDescription machine = small_machine();
  machine.load_counts = false;
  PageMap pages(machine.topology);
  CoreModel core(machine, pages, 0, {});
  run(core, unrelated(0x7000'0000));
  EXPECT_EQ(core.clock(), 100 * ns);
  EXPECT_EQ(core.events().llc_misses, 8);
  EXPECT_EQ(core.events().load_occupancy, 0);
  EXPECT_EQ(core.events().load_cycles, 0);
  core.count_loads();
  run(core, unrelated(0x7100'0000));
  EXPECT_EQ(core.clock(), 200 * ns);
  EXPECT_EQ(core.events().load_occupancy, 800);
  EXPECT_EQ(core.events().load_cycles, 100);
  EXPECT_EQ(core.events().page_cycles_8, 100);
}

}  // namespace
}  // namespace lbhm::emulator
