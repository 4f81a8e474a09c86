// Is what the compiler found handed over, from modules wherever they come from?
#include "runtime/knowledge/compiled_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lbhm/compiled_patterns.h"
#include "runtime/phases/lanes.h"
#include "tests/runtime/patterns/texts.h"

namespace lbhm {
namespace {

SlotRange range(std::uint32_t slot, std::uintptr_t address, std::uint64_t bytes) {
  return {.slot = ObjectSlot(slot), .address = address, .bytes = Bytes(bytes)};
}

TEST(CompiledModules, TakesTextsOfManyModulesAndSwitchesTheirNotes) {
  static unsigned char noting = 0;
  CompiledModules& modules = CompiledModules::of_process();
  const std::string padding(7, '\0');
  const std::string texts = module_text("1", spmv_nest) + '\0' + padding + module_text("2", spmv_nest) + '\0';
  modules.add(texts.data(), texts.data() + texts.size(), &noting);
  const std::string broken = std::string("{not json") + '\0';
  modules.add(broken.data(), broken.data() + broken.size(), &noting);
  PatternCatalog catalog;
  EXPECT_EQ(modules.hand_over(catalog).size(), 1U) << "one text cannot be read";
  EXPECT_NE(catalog.find(1ULL << LBHM_BASE_BITS), nullptr);
  EXPECT_NE(catalog.find(2ULL << LBHM_BASE_BITS), nullptr);
  EXPECT_TRUE(modules.hand_over(catalog).empty()) << "each text once";

  modules.note(true);
  EXPECT_EQ(noting, 1);
  modules.note(false);
  EXPECT_EQ(noting, 0);
}

TEST(CompiledModules, LeavesTheSwitchOfAnUnloadedLibraryAlone) {
  auto* gone = reinterpret_cast<unsigned char*>(0x10);
  CompiledModules& modules = CompiledModules::of_process();
  modules.add(nullptr, nullptr, gone);
  modules.note(true);
  modules.note(false);
}

TEST(Note, CountsOnlyWhereALaneIsListenedTo) {
  const std::vector<SlotRange> ranges{range(3, 0x1000, 0x1000)};
  const SlotIndex index(ranges);
  lbhm_note_v1(7, reinterpret_cast<const void*>(0x1000));  // no lane: nothing happens
  LaneState lane;
  current_lane = &lane;
  lbhm_note_v1(7, reinterpret_cast<const void*>(0x1000));  // nobody listens
  lane.noting = &index;
  lbhm_note_v1(7, reinterpret_cast<const void*>(0x1800));
  lbhm_note_v1(7, reinterpret_cast<const void*>(0x9800));  // no object of the phase
  current_lane = nullptr;
  std::vector<NotedBase> sum;
  lane.notes.move_to(sum);
  ASSERT_EQ(sum.size(), 1U);
  EXPECT_EQ(sum[0].slot, ObjectSlot(3));
  EXPECT_EQ(sum[0].times, 1U);
}

}  // namespace
}  // namespace lbhm
