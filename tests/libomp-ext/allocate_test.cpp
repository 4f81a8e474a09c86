// What libomp does not have: managed memory, and spaces that exist only by their fallback.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine_double.h"
#include "lbhm/omp_traits.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/real_openmp.h"
#include "runtime/engine/engine.h"

namespace lbhm::allocators {
namespace {

using engine_double::blocks_in_tier;
using engine_double::last_object;
using engine_double::live_blocks;
using engine_double::live_objects;
using engine_double::refuse_objects;

omp_allocator_handle_t made(std::vector<omp_alloctrait_t> list, omp_memspace_handle_t space = omp_default_mem_space) {
  return omp_init_allocator(space, static_cast<int>(list.size()), list.data());
}

std::uint64_t pool_used(omp_allocator_handle_t allocator) { return find_allocator(Handle{allocator})->pool.used(); }

TEST(Managed, LargeBlocksAreObjectsWithTheTraits) {
  std::string name = "matrix";
  const auto allocator = made({lbhm_managed(true), lbhm_name(name.data()), lbhm_tier_hint(1), lbhm_migratable(false)});
  name[0] = 'X';  // it was copied
  void* block = omp_alloc(100000, allocator);
  EXPECT_EQ(live_objects(), 1u);
  EXPECT_EQ(last_object().bytes, 100000u);
  EXPECT_EQ(last_object().name, "matrix");
  EXPECT_EQ(last_object().tier_hint, 1);
  EXPECT_FALSE(last_object().migratable);
  omp_free(block, omp_null_allocator);
  EXPECT_EQ(live_objects(), 0u);
  omp_destroy_allocator(allocator);
}

TEST(Managed, SmallBlocksAreNoObjects) {
  const auto allocator = made({lbhm_managed(true)});
  void* block = omp_alloc(4095, allocator);
  EXPECT_NE(block, nullptr);
  EXPECT_EQ(live_objects(), 0u);
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

TEST(Managed, WithoutAnEngineMallocHasTheMemory) {
  const auto allocator = made({lbhm_managed(true), {omp_atk_fallback, omp_atv_null_fb}});
  engine_double::refuse_objects(true);
  auto* block = static_cast<char*>(omp_calloc(1, 100000, allocator));
  engine_double::refuse_objects(false);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block[99999], 0);
  EXPECT_EQ(live_objects(), 0u);
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

TEST(Managed, ReallocMovesBetweenObjectsAndMalloc) {
  const auto allocator = made({lbhm_managed(true)});
  auto* block = static_cast<char*>(omp_alloc(1000, allocator));
  std::memset(block, 5, 1000);
  block = static_cast<char*>(omp_realloc(block, 50000, allocator, allocator));
  EXPECT_EQ(live_objects(), 1u);
  EXPECT_EQ(block[999], 5);
  block = static_cast<char*>(omp_realloc(block, 90000, allocator, allocator));
  EXPECT_EQ(live_objects(), 1u);
  block = static_cast<char*>(omp_realloc(block, 500, omp_default_mem_alloc, allocator));
  EXPECT_EQ(live_objects(), 0u);
  EXPECT_EQ(block[499], 5);
  omp_free(block, omp_null_allocator);
  omp_destroy_allocator(allocator);
}

TEST(Managed, AlignmentAndPool) {
  const auto allocator = made({lbhm_managed(true),
                               {omp_atk_alignment, 65536},
                               {omp_atk_pool_size, 200000},
                               {omp_atk_fallback, omp_atv_null_fb}});
  void* block = omp_alloc(50000, allocator);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 65536, 0u);
  EXPECT_EQ(last_object().alignment, 65536u);
  EXPECT_EQ(pool_used(allocator), 50000u + 40 + 65536);
  EXPECT_EQ(omp_alloc(50000, allocator), nullptr);
  omp_free(block, omp_null_allocator);
  EXPECT_EQ(pool_used(allocator), 0u);
  omp_destroy_allocator(allocator);
}

TEST(Managed, HighBandwidthIsAWishForTheTierThatHasIt) {
  const auto allocator = made({lbhm_managed(true), {omp_atk_fallback, omp_atv_null_fb}}, omp_high_bw_mem_space);
  void* block = omp_alloc(8192, allocator);
  EXPECT_NE(block, nullptr);
  EXPECT_EQ(last_object().tier_hint, engine::MemoryTraits::highest_bandwidth);
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

TEST(Managed, LargeCapacityIsAWishForTheLastTier) {
  const auto allocator = made({lbhm_managed(true)}, omp_large_cap_mem_space);
  const auto hinted = made({lbhm_managed(true), lbhm_tier_hint(1)}, omp_large_cap_mem_space);
  omp_free(omp_alloc(8192, allocator), allocator);
  EXPECT_EQ(last_object().tier_hint, engine::MemoryTraits::slowest);
  omp_free(omp_alloc(8192, hinted), hinted);
  EXPECT_EQ(last_object().tier_hint, 1);
  for (const auto each : {allocator, hinted}) omp_destroy_allocator(each);
}

TEST(Managed, DescriptionsReachTheEngine) {
  const auto allocator = made({lbhm_managed(true), lbhm_sensitivity(lbhm_latency), lbhm_group(7)});
  omp_free(omp_alloc(8192, allocator), allocator);
  EXPECT_EQ(last_object().sensitivity, Sensitivity::latency);
  EXPECT_EQ(last_object().group, 7u);
  EXPECT_EQ(last_object().tier_hint, -1);
  omp_destroy_allocator(allocator);
}

TEST(Managed, SpacesThatTheMachineDoesNotHaveStillGiveMemory) {
  refuse_objects(true);  // as the engine does on a machine of one tier
  for (const auto space : {omp_high_bw_mem_space, omp_large_cap_mem_space}) {
    const auto allocator = made({lbhm_managed(true), {omp_atk_fallback, omp_atv_null_fb}}, space);
    void* block = omp_alloc(8192, allocator);
    EXPECT_NE(block, nullptr);
    omp_free(block, allocator);
    omp_destroy_allocator(allocator);
  }
  refuse_objects(false);
}

TEST(SpecialSpaces, FollowTheirFallback) {
  for (const auto space : {omp_high_bw_mem_space, omp_large_cap_mem_space}) {
    const auto by_default = made({}, space);
    const auto null = made({{omp_atk_fallback, omp_atv_null_fb}}, space);
    const auto other = made({{omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, omp_const_mem_alloc}}, space);
    const auto aborting = made({{omp_atk_fallback, omp_atv_abort_fb}}, space);
    for (const auto allocator : {by_default, null, other, aborting}) EXPECT_NE(allocator, omp_null_allocator);
    void* first = omp_alloc(100, by_default);  // the tier has no room for so little (managed_minimum)
    void* second = omp_alloc(100, other);
    EXPECT_NE(first, nullptr);
    EXPECT_NE(second, nullptr);
    EXPECT_EQ(omp_alloc(100, null), nullptr);
    EXPECT_DEATH(omp_alloc(100, aborting), "abort_fb");
    omp_free(first, by_default);
    omp_free(second, omp_null_allocator);
    for (const auto allocator : {by_default, null, other, aborting}) omp_destroy_allocator(allocator);
  }
}

TEST(SpecialSpaces, AreTheRuntimesWhereTheMachineHasOneMemory) {
  refuse_objects(true);
  const auto* real = real_openmp();
  ASSERT_NE(real, nullptr);
  for (const auto space : {omp_high_bw_mem_space, omp_large_cap_mem_space, omp_low_lat_mem_space}) {
    const Handle alone = real->init_allocator(real->thread(), space, 0, nullptr);
    const auto ours = made({{omp_atk_fallback, omp_atv_null_fb}}, space);
    EXPECT_EQ(ours == omp_null_allocator, alone == null_handle) << space;
    if (alone != null_handle) real->destroy_allocator(real->thread(), alone);
    void* block = omp_alloc(100, ours);
    EXPECT_NE(block, nullptr);
    omp_free(block, ours);
    omp_destroy_allocator(ours);
  }
  refuse_objects(false);
}

TEST(SpecialSpaces, HaveMemoryOfTheirTierWhereTheMachineHasTiers) {
  using engine::MemoryTraits;
  const std::pair<omp_memspace_handle_t, int> wishes[] = {{omp_high_bw_mem_space, MemoryTraits::highest_bandwidth},
                                                          {omp_low_lat_mem_space, MemoryTraits::lowest_latency},
                                                          {omp_large_cap_mem_space, MemoryTraits::slowest}};
  for (const auto& [space, tier] : wishes) {
    const auto allocator = made({{omp_atk_fallback, omp_atv_null_fb}}, space);
    void* block = omp_alloc(8192, allocator);
    EXPECT_NE(block, nullptr);
    EXPECT_EQ(last_object().tier_hint, tier);
    EXPECT_TRUE(last_object().exact);  // otherwise the fallback would never be asked
    EXPECT_FALSE(last_object().migratable);
    omp_free(block, allocator);
    omp_destroy_allocator(allocator);
  }
  EXPECT_EQ(live_objects(), 0u);
}

TEST(SpecialSpaces, LowLatencyIsTheOneMemorysOfAMachineThatHasOne) {
  const auto allocator = made({{omp_atk_fallback, omp_atv_null_fb}}, omp_low_lat_mem_space);
  refuse_objects(true);
  void* block = omp_alloc(8192, allocator);
  EXPECT_NE(block, nullptr);
  refuse_objects(false);
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

TEST(SpecialSpaces, PredefinedAllocatorsToo) {
  omp_free(omp_alloc(8192, omp_low_lat_mem_alloc), omp_null_allocator);
  EXPECT_EQ(last_object().tier_hint, engine::MemoryTraits::lowest_latency);
  void* block = omp_alloc(8192, omp_large_cap_mem_alloc);
  EXPECT_EQ(live_objects(), 1u);
  EXPECT_EQ(last_object().tier_hint, engine::MemoryTraits::slowest);
  omp_free(block, omp_null_allocator);
  EXPECT_EQ(live_objects(), 0u);
  refuse_objects(true);
  block = omp_alloc(8192, omp_high_bw_mem_alloc);
  EXPECT_NE(block, nullptr);  // a predefined allocator always has memory
  omp_free(block, omp_null_allocator);
  refuse_objects(false);
}

class SmallBlocks : public ::testing::Test {
 protected:
  void SetUp() override { blocks_in_tier(1); }
  void TearDown() override {
    blocks_in_tier(-1);
    EXPECT_EQ(live_blocks(), 0u);
  }
};

TEST_F(SmallBlocks, ComeFromTheTierThatIsNamed) {
  const auto here = made({lbhm_managed(true), lbhm_tier_hint(1)});
  const auto elsewhere = made({lbhm_managed(true), lbhm_tier_hint(0)});
  const auto anywhere = made({lbhm_managed(true)});
  void* block = omp_alloc(100, here);
  EXPECT_EQ(live_blocks(), 1u);
  void* others[] = {omp_alloc(100, elsewhere), omp_alloc(100, anywhere), omp_alloc(100, omp_default_mem_alloc)};
  EXPECT_EQ(live_blocks(), 1u);
  for (void* other : others) {
    EXPECT_NE(other, nullptr);
    omp_free(other, omp_null_allocator);
  }
  omp_free(block, omp_null_allocator);
  for (const auto allocator : {here, elsewhere, anywhere}) omp_destroy_allocator(allocator);
}

TEST_F(SmallBlocks, AreAlignedZeroedResizedAndCharged) {
  const auto allocator = made({lbhm_managed(true), lbhm_tier_hint(1), {omp_atk_pool_size, 100000}});
  for (const std::size_t alignment : {1, 16, 64, 1024}) {
    auto* block = static_cast<char*>(omp_aligned_calloc(alignment, 10, 37, allocator));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % std::max<std::size_t>(alignment, 16), 0u);
    EXPECT_EQ(std::count(block, block + 370, 0), 370);
    EXPECT_EQ(live_blocks(), 1u);
    block[369] = 9;
    block = static_cast<char*>(omp_realloc(block, 1500, allocator, allocator));
    EXPECT_EQ(block[369], 9);
    EXPECT_EQ(live_blocks(), 1u);
    EXPECT_GT(pool_used(allocator), 1500u);
    omp_free(block, allocator);
    EXPECT_EQ(pool_used(allocator), 0u);
  }
  omp_destroy_allocator(allocator);
}

TEST(Allocators, AFreedBlockOfADestroyedAllocatorChargesNobody) {
  const auto first = made({{omp_atk_pool_size, 10000}});
  void* block = omp_alloc(100, first);
  omp_destroy_allocator(first);
  std::vector<omp_allocator_handle_t> all;  // one of them gets the slot
  for (std::uint32_t i = 0; i < table_slots; ++i) all.push_back(made({{omp_atk_pool_size, 10000}}));
  omp_free(block, omp_null_allocator);
  for (const auto allocator : all) {
    EXPECT_EQ(pool_used(allocator), 0u);
    omp_destroy_allocator(allocator);
  }
}

TEST(Allocators, FallbacksThatFormACircleEnd) {
  const auto first = made({{omp_atk_pool_size, 10}, {omp_atk_fallback, omp_atv_null_fb}});
  const auto second = made({{omp_atk_pool_size, 10},
                            {omp_atk_fallback, omp_atv_allocator_fb},
                            {omp_atk_fb_data, static_cast<omp_uintptr_t>(first)}});
  auto& traits =
      find_allocator(Handle{first})->traits;  // no program can do this: allocators exist before they are named
  traits.fallback = Fallback::allocator;
  traits.fallback_allocator = second;
  testing::internal::CaptureStderr();
  EXPECT_EQ(omp_alloc(100, first), nullptr);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("circle"), std::string::npos);
  omp_destroy_allocator(first);
  omp_destroy_allocator(second);
}

}  // namespace
}  // namespace lbhm::allocators
